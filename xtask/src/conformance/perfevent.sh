# PCP's agent for performance counters, asked without the daemon: which events of the forced PMU it finds, and what it
# makes of those of a configuration.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/perfevent"
sed "s#^PCP_PMDAS_DIR=.*#PCP_PMDAS_DIR=$folder#" /etc/pcp.conf > "$folder/pcp.conf"
cat > "$folder/perfevent/root" <<END
root { perfevent }
perfevent {
    version    127:0:0
    active     127:0:1
    hwcounters 127:*:*
    derived    127:*:*
}
END
cat > "$folder/perfevent/perfevent.conf" <<END
[$LIBPFM_FORCE_PMU]
UNHALTED_CORE_CYCLES:u
RETIRED_INSTRUCTIONS:k
INST_RETIRED:u:c=1
NO_SUCH_EVENT
END
{
    echo "open pipe $1 -d 127 -U $(id -un) -l $folder/log"
    echo "traverse perfevent"
} | PCP_CONF="$folder/pcp.conf" dbpmda -n "$folder/perfevent/root" -i > "$folder/said" 2>&1 || true
# An agent that did not come so far has nothing to compare.
grep -q "^Found PMU: $LIBPFM_FORCE_PMU" "$folder/log" || exit 1
grep -v "$folder" "$folder/said" || true
# Without the times, the numbers of processes, and the description of the PMU.
sed -e '/^Log /d' \
    -e 's/^\(Found PMU: [^ ]*\) (.*) identification/\1 identification/' \
    -e 's/^\[[^]]*\] pmdaperfevent([0-9]*)/pmdaperfevent/' "$folder/log"
