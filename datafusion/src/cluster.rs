//! Schedulers and executors of Ballista that know the functions.

use crate::{functions, with_functions};
use ballista_core::error::Result;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use std::net::SocketAddr;
use std::sync::Arc;

/// Runs a scheduler at this address until it is stopped.
///
/// # Errors
///
/// Returns an error if the address is taken.
pub async fn run_scheduler(address: SocketAddr) -> Result<()> {
    let config = SchedulerConfig {
        bind_host: address.ip().to_string(),
        external_host: address.ip().to_string(),
        bind_port: address.port(),
        // An executor that is killed is noticed within seconds, and its work is done again by others.
        executor_timeout_seconds: 20,
        expire_dead_executor_interval_seconds: 5,
        override_session_builder: Some(Arc::new(|config| {
            with_functions(default_session_builder(config)?)
        })),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, address, Arc::new(config)).await
}

/// Runs an executor that listens at this address (its port, and the one after it) and works for the scheduler at `host:port`, until it is stopped.
///
/// # Errors
///
/// Returns an error if the address is taken, or if the scheduler does not answer.
pub async fn run_executor(
    address: SocketAddr,
    scheduler: (String, u16),
    threads: usize,
) -> Result<()> {
    let mut registry = BallistaFunctionRegistry::default();
    let (scalar, aggregate) = functions();
    let named = scalar.into_iter().map(|function| (function.name().to_string(), function));
    registry.scalar_functions.extend(named);
    let named = aggregate.into_iter().map(|function| (function.name().to_string(), function));
    registry.aggregate_functions.extend(named);
    let config = ExecutorProcessConfig {
        bind_host: address.ip().to_string(),
        external_host: Some(address.ip().to_string()),
        port: address.port(),
        grpc_port: address.port() + 1,
        scheduler_host: scheduler.0,
        scheduler_port: scheduler.1,
        scheduler_connect_timeout_seconds: 20,
        vcores: threads,
        executor_heartbeat_interval_seconds: 5,
        override_function_registry: Some(Arc::new(registry)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await
}
