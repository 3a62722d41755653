mod answer;
mod args;
pub(crate) mod batch;
mod request;
mod text;

pub use args::DispatchArgs;

use counterpoint::pmu;
use counterpoint::pmu::libpfm3::Model;

use crate::failure::{Failure, did_you_mean};

/// Exit status 1 if the events cannot be dispatched together.
pub fn run(args: &DispatchArgs) -> Result<u8, Failure> {
    let model = args.model.as_deref().map(model).transpose()?;
    match model {
        _ if args.batch => crate::batch::batch(|line| batch::answer(line, model)),
        None if args.events.is_empty() => text::models(args.json),
        None => Err(Failure::new("no model given").help(
            "counterpoint dispatch --model MODEL EVENT…; `counterpoint dispatch` shows the models",
        )),
        Some(model) if args.events.is_empty() && args.mod_in.is_none() => {
            text::model(model, args.json)
        }
        Some(model) => text::events(model, args),
    }
}

/// The model of a name, or what is like it.
fn model(name: &str) -> Result<&'static Model, Failure> {
    Model::find(name).ok_or_else(|| {
        let near = pmu::similar(name, Model::all().map(Model::name));
        Failure::new(format!("there is no model `{name}`"))
            .help(did_you_mean(&near, "`counterpoint dispatch` shows them all"))
    })
}
