//! The scripts of the shells, with names where an option takes some.

use super::names::Kind;
use clap::{Arg, Command};
use clap_complete::{Shell, generate};

/// The script for a shell.
pub fn completion_script(shell: Shell, program: &mut Command) -> String {
    let mut script = Vec::new();
    generate(shell, program, "counterpoint", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let options = options(program);
    match shell {
        Shell::Bash => script + &bash(&options),
        Shell::Zsh => zsh(&script, &options),
        Shell::Fish => script + &fish(&options),
        _ => script,
    }
}

/// An option of a command whose value is a name.
struct Named {
    command: String,
    flags: Vec<String>,
    kind: Kind,
}

fn options(program: &Command) -> Vec<Named> {
    let of_arg = |command: &Command, arg: &Arg| {
        let long = arg.get_long()?;
        let short = arg.get_short().map(|short| format!("-{short}"));
        let flags = short.into_iter().chain([format!("--{long}")]).collect();
        let kind = Kind::of_option(long).filter(|_| arg.get_action().takes_values())?;
        Some(Named { command: command.get_name().to_string(), flags, kind })
    };
    let of_command = |command| Command::get_arguments(command).map(move |arg| of_arg(command, arg));
    program.get_subcommands().flat_map(of_command).flatten().collect()
}

/// Readline breaks words at `:` and `=`, so that of a reply only what follows the last of them is put in.
const BASH: &str = r#"
_counterpoint_names() {
    local line=${COMP_LINE:0:COMP_POINT}
    local word=${line##*[[:space:]]}
    local -a before
    read -ra before <<< "${line%"$word"}"
    local option=${before[-1]} value=$word kind=
    if [[ $word == --*=* ]]; then
        option=${word%%=*} value=${word#*=}
    fi
    case " ${before[*]} " in *" -- "*) option= ;; esac
    case "${before[1]} $option" in
CASES    esac
    if [[ -z $kind ]]; then
        _counterpoint "$@"
        return
    fi
    local last=${value##*[,{]}
    local head=${word%"$last"}
    local joined=$head$last broken
    broken=${joined%"${joined##*[:=]}"}
    local IFS=$'\n' name
    COMPREPLY=()
    for name in $("${before[0]}" completions --names "$kind" 2> /dev/null); do
        if [[ $name == "$last"* ]]; then
            name=$head$name
            COMPREPLY+=("${name#"$broken"}")
        fi
    done
    # A list may go on with a comma.
    compopt -o nospace 2> /dev/null
}
complete -F _counterpoint_names -o bashdefault -o default counterpoint
"#;

fn bash(options: &[Named]) -> String {
    let case = |option: &Named| {
        let flags: Vec<String> =
            option.flags.iter().map(|flag| format!("\"{} {flag}\"", option.command)).collect();
        format!("        {}) kind={} ;;\n", flags.join(" | "), option.kind.word())
    };
    BASH.replace("CASES", &options.iter().map(case).collect::<String>())
}

const ZSH: &str = r#"
_counterpoint_names() {
    local -a names
    names=(${(f)"$($service completions --names $1 2> /dev/null)"})
    compset -P '*[,{]'
    compadd -S '' -a names
}
"#;

/// The action of the option's value is in its line.
fn zsh(script: &str, options: &[Named]) -> String {
    let with_names = |line: &str| {
        let is_of = |flag: &String| {
            let starts = [format!("{flag}+["), format!("{flag}=[")];
            let spec = line.trim_start_matches('\'');
            let spec = spec.strip_prefix('*').unwrap_or(spec);
            // The options that exclude this one come before it, in parentheses.
            let spec = spec.split_once(')').filter(|_| spec.starts_with('(')).map_or(spec, |s| s.1);
            starts.iter().any(|start| spec.starts_with(start))
        };
        let option = options.iter().find(|option| option.flags.iter().any(is_of));
        match (option, line.strip_suffix(":_default' \\")) {
            (Some(option), Some(spec)) => {
                format!("{spec}:_counterpoint_names {}' \\\n", option.kind.word())
            }
            _ => format!("{line}\n"),
        }
    };
    let script: String = script.lines().map(with_names).collect();
    // The first line says what the file completes.
    match script.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{ZSH}{rest}"),
        None => script,
    }
}

const FISH: &str = r#"
function __counterpoint_names
    set -l value (string replace -r '^--[^=]*=' '' -- (commandline -ct))
    set -l head (string match -r '^.*[,{]' -- $value)
    set -l program (commandline -opc)[1]
    for name in ($program completions --names $argv[1] 2> /dev/null)
        echo $head$name
    end
end
"#;

fn fish(options: &[Named]) -> String {
    let line = |option: &Named| {
        let flag = |flag: &String| match flag.strip_prefix("--") {
            Some(long) => format!("-l {long}"),
            None => format!("-s {}", flag.trim_start_matches('-')),
        };
        let flags: Vec<String> = option.flags.iter().map(flag).collect();
        format!(
            "complete -c counterpoint -n \"__fish_counterpoint_using_subcommand {}\" {} -x -a '(__counterpoint_names {})'\n",
            option.command,
            flags.join(" "),
            option.kind.word(),
        )
    };
    FISH.to_string() + &options.iter().map(line).collect::<String>()
}
