use counterpoint::profil::write::CallTree;
use counterpoint::profile;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;

/// The call stacks of a profile: functions once, and stacks of their indexes.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct CallStacks {
    /// The functions of all stacks.
    frames: Vec<Frame>,
    /// The stacks in which there are samples.
    stacks: Vec<Stack>,
    /// The samples of each function with those of the functions that it called, the most frequent first.
    children: Vec<Children>,
    /// The stacks that lack their outer frames.
    cut_off: CutOff,
}

/// A function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Frame {
    /// Its name.
    function: String,
    /// The file that contains it.
    module: Option<String>,
    /// It is a copy of the function in the code of its caller.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inlined: bool,
}

/// A call stack.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Stack {
    /// The indexes of its functions in `frames`, the outermost first.
    frames: Vec<usize>,
    /// Its samples.
    count: u64,
}

/// The samples of a function, without and with those of the functions that it called.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Children {
    /// Its name.
    function: String,
    /// The file that contains it.
    module: Option<String>,
    /// Each of its calls was inlined.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inlined: bool,
    /// The samples of the function itself.
    #[serde(rename = "self")]
    own: u64,
    /// Their share of all samples, in percent.
    self_percent: f64,
    /// The standard error of that share, in percent.
    self_error: f64,
    /// The samples of the function and of those that it called, each once.
    count: u64,
    /// Their share of all samples, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

/// How many stacks lack their outer frames, by reason.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct CutOff {
    /// The copy of the stack ended, or there are too many frames.
    truncated: u64,
    /// No caller was found by frame pointers.
    without_caller: u64,
    /// A caller is in no file.
    unmapped: u64,
    /// A file has no unwind information, or cannot be read.
    no_unwind_information: Vec<Missing>,
    /// The unwind information could not be applied.
    failed: u64,
    /// The samples that are counted without their stacks, because there are more different frames than are kept.
    beyond_limit: u64,
}

/// A file without unwind information.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Missing {
    /// The file.
    module: String,
    /// The stacks that end there.
    count: u64,
}

pub fn call_stacks(tree: &CallTree, of: &profile::CallStacks) -> CallStacks {
    let (frames, stacks) = frames(tree);
    let missing = of
        .without_information
        .iter()
        .map(|(path, count)| Missing { module: path.display().to_string(), count: *count });
    CallStacks {
        frames,
        stacks,
        children: children(tree),
        cut_off: CutOff {
            truncated: of.truncated,
            without_caller: of.without_caller,
            unmapped: of.unmapped,
            no_unwind_information: missing.collect(),
            failed: of.not_unwound(),
            beyond_limit: of.stacks.beyond().0,
        },
    }
}

fn frames(tree: &CallTree) -> (Vec<Frame>, Vec<Stack>) {
    let (mut frames, mut stacks) = (Vec::new(), Vec::new());
    let mut known: HashMap<(&str, Option<&str>, bool), usize> = HashMap::new();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for call in tree.calls() {
        let name = (call.function.as_str(), call.module.as_deref(), call.inlined);
        let function = *known.entry(name).or_insert_with(|| {
            let (function, module) = (call.function.clone(), call.module.clone());
            frames.push(Frame { function, module, inlined: call.inlined });
            frames.len() - 1
        });
        let mut stack = call.caller.map_or_else(Vec::new, |caller| all[caller].clone());
        stack.push(function);
        if call.own() > 0 {
            stacks.push(Stack { frames: stack.clone(), count: call.own() });
        }
        all.push(stack);
    }
    (frames, stacks)
}

fn children(tree: &CallTree) -> Vec<Children> {
    let children = tree.functions().into_iter().map(|of| Children {
        function: of.function,
        module: of.module,
        inlined: of.inlined,
        own: of.own,
        self_percent: of.own_percent.0,
        self_error: of.own_percent.1,
        count: of.whole,
        percent: of.whole_percent.0,
        error: of.whole_percent.1,
    });
    children.collect()
}
