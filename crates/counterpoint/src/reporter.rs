use counterpoint_perf::process::host_name;

/// The process that writes a report: its rank in a parallel job, its host, and its id.
///
/// Reports record it in each row, and `counterpoint merge` tells the reports of a job apart by it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reporter {
    /// The rank, from the first of [`Reporter::RANK_VARIABLES`] that is a number; `None` outside a parallel job.
    #[doc(alias = "OMPI_COMM_WORLD_RANK")]
    #[doc(alias = "PMI_RANK")]
    #[doc(alias = "SLURM_PROCID")]
    pub rank: Option<u32>,
    /// The name of the host; empty if the kernel does not tell it.
    #[doc(alias = "gethostname")]
    pub host: String,
    /// The process id of the process that reports: that of `counterpoint`, not of the command that it runs.
    pub pid: u32,
}

impl Reporter {
    /// The environment variables in which launchers of parallel jobs pass the rank of a process.
    ///
    /// In this order, those of MPI libraries come before those of resource managers, because a batch script under Slurm has the number of its own task, 0, and passes it on to every rank that `mpirun` starts.
    /// They are set by Open MPI, PMIx, MPICH (also of Intel and Cray), MVAPICH2, PALS, JSM, ALPS, Flux and Slurm.
    pub const RANK_VARIABLES: [&str; 9] = [
        "OMPI_COMM_WORLD_RANK",
        "PMIX_RANK",
        "PMI_RANK",
        "MV2_COMM_WORLD_RANK",
        "PALS_RANKID",
        "JSM_NAMESPACE_RANK",
        "ALPS_APP_PE",
        "FLUX_TASK_RANK",
        "SLURM_PROCID",
    ];

    /// The calling process, with the rank that its environment names.
    pub fn this_process() -> Reporter {
        let number = |name| std::env::var(name).ok()?.trim().parse().ok();
        Reporter {
            rank: Reporter::RANK_VARIABLES.into_iter().find_map(number),
            host: host_name(),
            pid: std::process::id(),
        }
    }
}
