//! Names of the numbers in files: `net/eth0/rx_bytes/`, `vmstat/pgfault/`, and PAPI's `net:::eth0:rx:bytes`.

use super::pattern::{captures, filled, is_pattern};
use super::table::{FIELDS, Field, File, Form, Scope};
use counterpoint_pmu::similar;
use std::borrow::Cow;

/// A field of an instance, as a name says it.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub field: &'static Field,
    /// `None` if there are no instances, or if the name stands for all CPUs.
    pub instance: Option<String>,
    pub part: Part,
}

/// The text for which the wildcard of a field stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The texts themselves.
    Texts(Vec<String>),
    /// The label of a sensor, in small letters.
    Label(String),
}

impl Chosen {
    /// The field that a name stands for, whether or not a machine has it.
    pub(super) fn parse(name: &str) -> Option<Chosen> {
        // A pattern is not a name.
        if !name.contains(['/', ':']) || name.contains(['*', '?', '[']) {
            return None;
        }
        let component = name.split_once('/').map(|(component, _)| component);
        let mut of_component = FIELDS.iter().filter(|field| {
            component.is_some_and(|word| field.file.component.eq_ignore_ascii_case(word))
        });
        let found = if component.is_some() {
            let mut fields = of_component.clone();
            fields
                .find_map(|field| numbered(field, name))
                .or_else(|| of_component.find_map(|field| labelled(field, name)))
        } else {
            let spelled = |field: &'static Field| {
                field.others.iter().find_map(|other| spelled(field, other, name))
            };
            FIELDS.iter().find_map(spelled)
        };
        // Two quotes are no instance.
        found.filter(|chosen| chosen.instance.as_deref() != Some(""))
    }

    /// The name, as `component/instance/field/`.
    pub(super) fn name(&self) -> String {
        let component = self.field.file.component;
        let field = match &self.part {
            Part::Texts(texts) => {
                filled(self.field.name, &texts.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Part::Label(label) => filled(&self.field.name.replace('#', "_*"), &[label]),
        };
        match &self.instance {
            Some(instance) => format!("{component}/{}/{field}/", quoted(instance)),
            None => format!("{component}/{field}/"),
        }
    }

    /// The texts in the place of wildcards; empty for a label.
    pub(super) fn texts(&self) -> Vec<&str> {
        match &self.part {
            Part::Texts(texts) => texts.iter().map(String::as_str).collect(),
            Part::Label(_) => Vec::new(),
        }
    }

    /// Returns true if it stands for all CPUs.
    pub(super) fn is_all_cpus(&self) -> bool {
        self.field.file.scope == Scope::Cpu && self.instance.is_none()
    }
}

impl Field {
    /// The pattern of the instances of the field; `None` if there are none.
    pub(super) fn instance(&self) -> Option<&'static str> {
        self.file.instance().or_else(|| match self.file.form {
            Form::Rows(_) | Form::Pairs => Some(self.key()).filter(|key| is_pattern(key)),
            _ => None,
        })
    }

    /// The key of its place.
    pub(super) fn key(&self) -> &'static str {
        self.place.split_once(':').map_or(self.place, |(key, _)| key)
    }
}

impl File {
    /// The pattern of the instances in the path, or of the columns; `None` if there are none.
    pub(super) fn instance(&self) -> Option<&'static str> {
        let of_path = self.path.split('/').find(|part| is_pattern(part));
        of_path.or((self.form == Form::Matrix).then_some("cpu#"))
    }
}

/// The name with numbers, `hwmon/coretemp/temp1/`.
fn numbered(field: &'static Field, name: &str) -> Option<Chosen> {
    let File { component, scope, .. } = field.file;
    let has_instances = field.instance().is_some();
    if has_instances && let Some(texts) = captures(&format!("{component}/*/{}/", field.name), name)
    {
        let (instance, texts) = texts.split_first()?;
        return Some(chosen(field, Some(instance), texts));
    }
    if has_instances && *scope != Scope::Cpu {
        return None;
    }
    let texts = captures(&format!("{component}/{}/", field.name), name)?;
    Some(chosen(field, None, &texts))
}

/// perf's name with the label of a sensor, `hwmon/coretemp/temp_core_0/`.
fn labelled(field: &'static Field, name: &str) -> Option<Chosen> {
    field.label?;
    let pattern = format!("{}/*/{}/", field.file.component, field.name.replace('#', "_*"));
    let texts = captures(&pattern, name)?;
    let (instance, label) = (texts.first()?.to_string(), texts.get(1)?.to_ascii_lowercase());
    Some(Chosen { field, instance: Some(instance), part: Part::Label(label) })
}

/// Another tool's name.
fn spelled(field: &'static Field, other: &str, name: &str) -> Option<Chosen> {
    let (pattern, instance) = match other.split_once('=') {
        Some((pattern, instance)) => (pattern, Some(instance)),
        None => (other, None),
    };
    let texts = captures(pattern, name)?;
    Some(match instance {
        Some("") => chosen(field, None, &[]),
        Some(instance) => chosen(field, Some(&filled(instance, &texts)), &[]),
        None if field.instance().is_some() => {
            let (instance, texts) = texts.split_first()?;
            chosen(field, Some(instance), texts)
        }
        None => chosen(field, None, &texts),
    })
}

fn chosen(field: &'static Field, instance: Option<&str>, texts: &[&str]) -> Chosen {
    let part = Part::Texts(texts.iter().map(ToString::to_string).collect());
    Chosen { field, instance: instance.map(|name| unquoted(name).to_string()), part }
}

/// The name of an instance as a list of events can have it.
fn quoted(instance: &str) -> Cow<'_, str> {
    match instance {
        _ if !instance.contains([',', '{', '}', '=', '\'', '"']) => Cow::Borrowed(instance),
        _ if instance.contains('\'') => Cow::Owned(format!("\"{instance}\"")),
        _ => Cow::Owned(format!("'{instance}'")),
    }
}

fn unquoted(instance: &str) -> &str {
    let within = |quote| instance.strip_prefix(quote)?.strip_suffix(quote);
    within('\'').or_else(|| within('"')).unwrap_or(instance)
}

/// Returns true if a word is a component of the table.
pub(super) fn is_word(word: &str) -> bool {
    FIELDS.iter().any(|field| field.file.component == word)
}

/// The components that a word may mean: those of the file with this name, such as `meminfo`, or else those with similar names.
pub(super) fn words_near(word: &str) -> Vec<&'static str> {
    let of_file = |field: &&Field| field.file.path.rsplit('/').next() == Some(word);
    let mut words: Vec<&str> =
        FIELDS.iter().filter(of_file).map(|field| field.file.component).collect();
    words.dedup();
    if words.is_empty() {
        similar(word, FIELDS.iter().map(|field| field.file.component))
    } else {
        words
    }
}

/// Returns true if a word of PAPI stands before `:::` in a name of the table.
pub(super) fn is_component(word: &str) -> bool {
    let begins = |other: &&str| {
        other.split_once(":::").is_some_and(|(own, _)| own.eq_ignore_ascii_case(word))
    };
    FIELDS.iter().flat_map(|field| &field.others).any(begins)
}

/// PAPI's name of a field of an instance, by the kernel's word for that; `None` if PAPI has none.
pub(super) fn of_papi(chosen: &Chosen, word: Option<&str>) -> Option<String> {
    let texts = chosen.texts();
    chosen.field.others.iter().find_map(|other| match (other.split_once('='), word) {
        (Some((pattern, "")), None) => Some(pattern.to_string()),
        (Some((pattern, instance)), Some(word)) => {
            Some(filled(pattern, &captures(instance, word)?))
        }
        (Some(_), None) => None,
        (None, Some(word)) => Some(filled(other, &[&[word], texts.as_slice()].concat())),
        (None, None) => Some(filled(other, &texts)),
    })
}

/// perf's name `hwmon_coretemp/temp1/` with the instance apart; `None` if it is no component of the table.
pub(super) fn of_pmu(name: &str) -> Option<Chosen> {
    let (pmu, field) = name.split_once('/')?;
    FIELDS.iter().find_map(|of| {
        let component = of.file.component;
        let instance = pmu.strip_prefix(component)?.strip_prefix('_')?;
        Chosen::parse(&format!("{component}/{instance}/{field}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<String> {
        Chosen::parse(text).map(|chosen| chosen.name())
    }

    #[test]
    fn the_names_of_other_tools_are_those_of_the_kernel() {
        for (text, expected) in [
            ("net/eth0.1/RX_BYTES/", "net/eth0.1/rx_bytes/"),
            ("net:::lo:rx:bytes", "net/lo/rx_bytes/"),
            ("coretemp:::hwmon0:temp12_input", "hwmon/hwmon0/temp12/"),
            ("powercap:::ENERGY_UJ:ZONE0", "powercap/intel-rapl:0/energy/"),
            ("powercap:::ENERGY_UJ:ZONE0_SUBZONE1", "powercap/intel-rapl:0:1/energy/"),
            ("io:::rchar", "io/rchar/"),
            ("stealtime:::TOTAL", "cputime/steal/"),
            ("stealtime:::CPU3", "cputime/cpu3/steal/"),
            ("hwmon/coretemp/temp_Core_0/", "hwmon/coretemp/temp_core_0/"),
            ("cpuidle/cpu0/state_c1_time/", "cpuidle/cpu0/state_c1_time/"),
            ("cpufreq/frequency/", "cpufreq/frequency/"),
            ("memory/HugePages_Free/", "memory/HugePages_Free/"),
            ("irq/LOC/", "irq/LOC/"),
            ("irq/cpu1/24/", "irq/cpu1/24/"),
            ("net/'x,y'/rx_bytes/", "net/'x,y'/rx_bytes/"),
            ("net/\"x,y\"/rx_bytes/", "net/'x,y'/rx_bytes/"),
            ("net/'eth0'/rx_bytes/", "net/eth0/rx_bytes/"),
            ("net/\"it's\"/rx_bytes/", "net/\"it's\"/rx_bytes/"),
            ("net:::x,y:rx:bytes", "net/'x,y'/rx_bytes/"),
        ] {
            assert_eq!(name(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(of_pmu("hwmon_acpi_tz/temp1/").unwrap().name(), "hwmon/acpi_tz/temp1/");
        for text in [
            "net/rx_bytes/",
            "net/lo/nothing/",
            "cycles",
            "net:::lo:rx:all",
            "net/lo/rx_bytes",
            "/",
            ":::",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    /// What is listed can be asked for.
    #[test]
    fn a_name_that_was_parsed_is_parsed_again() {
        for field in &*FIELDS {
            let texts = vec!["1".to_string(); field.name.matches(['#', '*']).count()];
            let instance = field.instance().map(|pattern| filled(pattern, &["1", "1"]));
            let own = Chosen { field, instance, part: Part::Texts(texts) };
            let again = Chosen::parse(&own.name()).unwrap_or_else(|| panic!("{own:?}"));
            assert_eq!((again.name(), again.field.place), (own.name(), field.place));
        }
    }
}
