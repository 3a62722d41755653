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
    /// The number of ranks, as far as the launcher tells it.
    #[doc(alias = "OMPI_COMM_WORLD_SIZE")]
    #[doc(alias = "SLURM_NTASKS")]
    pub ranks: Option<u32>,
    /// The number of the rank among those on its host, as far as the launcher tells it.
    #[doc(alias = "OMPI_COMM_WORLD_LOCAL_RANK")]
    #[doc(alias = "SLURM_LOCALID")]
    pub local_rank: Option<u32>,
    /// The id of the job in the batch system, from the first of [`Reporter::JOB_VARIABLES`] that is not empty.
    #[doc(alias = "SLURM_JOB_ID")]
    #[doc(alias = "PBS_JOBID")]
    pub job: Option<String>,
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
    pub const RANK_VARIABLES: [&str; LAUNCHERS.len()] = {
        let mut names = [""; LAUNCHERS.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = LAUNCHERS[at].rank;
            at += 1;
        }
        names
    };

    /// The environment variables in which batch systems pass the id of a job, in the order in which they are looked at.
    ///
    /// They are set by Slurm, PBS, LSF, Flux, Cobalt, OAR and Fujitsu's TCS.
    pub const JOB_VARIABLES: [&str; 8] = [
        "SLURM_JOB_ID",
        "SLURM_JOBID",
        "PBS_JOBID",
        "LSB_JOBID",
        "FLUX_JOB_ID",
        "COBALT_JOBID",
        "OAR_JOB_ID",
        "PJM_JOBID",
    ];

    /// The environment variables in which launchers pass the rank of a process among those on its host.
    pub fn local_rank_variables() -> impl Iterator<Item = &'static str> {
        LAUNCHERS.iter().flat_map(|launcher| launcher.local_rank).copied()
    }

    /// The calling process, with what its environment tells about the job.
    ///
    /// The number of ranks and the local rank are those of a launcher whose rank is the same: Slurm's are not those of the ranks that `mpirun` starts in a batch script.
    pub fn this_process() -> Reporter {
        Reporter::new(|name| std::env::var(name).ok(), host_name(), std::process::id())
    }

    fn new(variable: impl Fn(&str) -> Option<String>, host: String, pid: u32) -> Reporter {
        let number = |name: &str| variable(name)?.trim().parse::<u32>().ok();
        let rank = Reporter::RANK_VARIABLES.into_iter().find_map(number);
        let same =
            || LAUNCHERS.iter().filter(|launcher| rank.is_some() && number(launcher.rank) == rank);
        let first = |names: fn(&Launcher) -> &'static [&'static str]| {
            same().flat_map(names).find_map(|name| number(name))
        };
        let is_rank = |ranks: &u32| rank.is_some_and(|rank| rank < *ranks);
        let named = |name| variable(name).filter(|id| !id.trim().is_empty());
        Reporter {
            rank,
            ranks: first(|launcher| launcher.ranks).filter(is_rank),
            local_rank: first(|launcher| launcher.local_rank),
            job: Reporter::JOB_VARIABLES
                .into_iter()
                .find_map(named)
                .map(|id| id.trim().to_string()),
            host,
            pid,
        }
    }
}

/// The variables of a launcher; of several for the same number, the first that is a number.
struct Launcher {
    rank: &'static str,
    ranks: &'static [&'static str],
    local_rank: &'static [&'static str],
}

const LAUNCHERS: [Launcher; 9] = [
    Launcher {
        rank: "OMPI_COMM_WORLD_RANK",
        ranks: &["OMPI_COMM_WORLD_SIZE"],
        local_rank: &["OMPI_COMM_WORLD_LOCAL_RANK"],
    },
    Launcher { rank: "PMIX_RANK", ranks: &[], local_rank: &[] },
    Launcher {
        rank: "PMI_RANK",
        ranks: &["PMI_SIZE"],
        local_rank: &["MPI_LOCALRANKID", "PMI_LOCAL_RANK"],
    },
    Launcher {
        rank: "MV2_COMM_WORLD_RANK",
        ranks: &["MV2_COMM_WORLD_SIZE"],
        local_rank: &["MV2_COMM_WORLD_LOCAL_RANK"],
    },
    Launcher { rank: "PALS_RANKID", ranks: &[], local_rank: &["PALS_LOCAL_RANKID"] },
    Launcher {
        rank: "JSM_NAMESPACE_RANK",
        ranks: &["JSM_NAMESPACE_SIZE"],
        local_rank: &["JSM_NAMESPACE_LOCAL_RANK"],
    },
    Launcher { rank: "ALPS_APP_PE", ranks: &[], local_rank: &[] },
    Launcher {
        rank: "FLUX_TASK_RANK",
        ranks: &["FLUX_JOB_SIZE"],
        local_rank: &["FLUX_TASK_LOCAL_ID"],
    },
    Launcher {
        rank: "SLURM_PROCID",
        // A batch script that starts no step has the number of tasks that are allocated.
        ranks: &["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"],
        local_rank: &["SLURM_LOCALID"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(environment: &[(&str, &str)]) -> (Option<u32>, Option<u32>, Option<u32>, Option<String>) {
        let value = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, v)| v.to_string())
        };
        let Reporter { rank, ranks, local_rank, job, .. } =
            Reporter::new(value, "node1".to_string(), 7);
        (rank, ranks, local_rank, job)
    }

    #[test]
    fn each_launcher_tells_what_it_knows() {
        let step = [
            ("SLURM_JOB_ID", "17"),
            ("SLURM_PROCID", "5"),
            ("SLURM_NTASKS", "8"),
            ("SLURM_LOCALID", "1"),
        ];
        assert_eq!(of(&step), (Some(5), Some(8), Some(1), Some("17".to_string())));
        let hydra = [("PMI_RANK", "3"), ("PMI_SIZE", "4"), ("MPI_LOCALRANKID", "0")];
        assert_eq!(of(&hydra), (Some(3), Some(4), Some(0), None));
        let flux = [("FLUX_TASK_RANK", "2"), ("FLUX_JOB_SIZE", "4"), ("FLUX_TASK_LOCAL_ID", "2")];
        assert_eq!(of(&flux).1.zip(of(&flux).2), Some((4, 2)));
        let pals = [("PALS_RANKID", "9"), ("PALS_LOCAL_RANKID", "1"), ("PBS_JOBID", "44.server")];
        assert_eq!(of(&pals), (Some(9), None, Some(1), Some("44.server".to_string())));
        assert_eq!(of(&[]), (None, None, None, None));
    }

    #[test]
    fn the_numbers_of_a_batch_script_are_not_those_of_the_ranks_that_it_starts() {
        let script = [("SLURM_PROCID", "0"), ("SLURM_NTASKS", "64"), ("SLURM_LOCALID", "0")];
        let ompi = [("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "4")];
        let both = [&script[..], &ompi].concat();
        assert_eq!(of(&both), (Some(2), Some(4), None, None));
        // PMIx has no variables of its own for these, and Slurm starts its ranks.
        let pmix = [("PMIX_RANK", "2"), ("SLURM_PROCID", "2"), ("SLURM_NTASKS", "64")];
        assert_eq!(of(&pmix), (Some(2), Some(64), None, None));
    }

    #[test]
    fn what_is_malformed_is_as_if_it_were_not_set() {
        let wrong = [("PMI_RANK", "x"), ("SLURM_PROCID", " 1 "), ("SLURM_NTASKS", "-3")];
        assert_eq!(of(&wrong), (Some(1), None, None, None));
        let too_few = [("PMI_RANK", "4"), ("PMI_SIZE", "4"), ("SLURM_JOB_ID", " ")];
        assert_eq!(of(&too_few), (Some(4), None, None, None));
        // Without a rank there is no job that could have a size.
        assert_eq!(of(&[("SLURM_NTASKS", "4"), ("SLURM_LOCALID", "0")]), (None, None, None, None));
    }
}
