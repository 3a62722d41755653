//! The layer: entering a span enters a region.

use crate::fields::Fields;
use counterpoint::Regions;
use std::fmt;
use std::sync::{Arc, OnceLock};
use tracing_core::span::{Attributes, Id};
use tracing_core::{Dispatch, Subscriber, dispatcher::WeakDispatch};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

/// A layer that counts events for each span: see [`SpanCounts`](crate::SpanCounts).
pub struct CountingLayer {
    regions: Arc<Regions>,
    has_children: bool,
    /// The fields that are named after events.
    fields: Arc<[String]>,
    dispatch: OnceLock<WeakDispatch>,
}

/// The name of the parent that is not counted while a child is entered.
struct Suspended(&'static str);

impl CountingLayer {
    pub(crate) fn new(
        regions: Arc<Regions>,
        has_children: bool,
        fields: Arc<[String]>,
    ) -> CountingLayer {
        CountingLayer { regions, has_children, fields, dispatch: OnceLock::new() }
    }

    /// Leaves out of the nearest span around this one what is counted from now on.
    fn suspend_parent<'s, S: LookupSpan<'s>>(&self, span: &SpanRef<'s, S>) {
        let mut names = span.scope().skip(1).map(|parent| parent.name());
        if let Some(name) = names.find(|name| self.regions.is_open(name)) {
            self.regions.suspend(name);
            span.extensions_mut().replace(Suspended(name));
        }
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for CountingLayer {
    fn on_register_dispatch(&self, dispatch: &Dispatch) {
        _ = self.dispatch.set(dispatch.downgrade());
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(fields) = Fields::declared(attributes.metadata(), &self.fields)
            && let Some(span) = context.span(id)
        {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if !self.has_children {
            self.suspend_parent(&span);
        }
        self.regions.begin(span.name());
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let fields = span.extensions_mut().remove::<Fields>();
        match fields {
            None => _ = self.regions.end(span.name()),
            Some(mut fields) => {
                if let Some(visit) = self.regions.end_visit(span.name()) {
                    fields.add(&visit.report);
                }
                let dispatch = self.dispatch.get().and_then(WeakDispatch::upgrade);
                if let Some(dispatch) = dispatch {
                    fields.record(span.metadata(), id, &dispatch);
                }
                span.extensions_mut().insert(fields);
            }
        }
        if !self.has_children {
            let suspended = span.extensions_mut().remove::<Suspended>();
            suspended.into_iter().for_each(|Suspended(name)| self.regions.resume(name));
        }
    }
}

impl fmt::Debug for CountingLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountingLayer").field("regions", &self.regions).finish_non_exhaustive()
    }
}
