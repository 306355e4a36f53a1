#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a command beside a cluster of Slurm with one node, all in namespaces of their own: its
# network has nothing but the machine itself, and nothing of it outlives the command.
#
# usage: slurm.sh FOLDER COMMAND…; exit status 77: there is no Slurm here, or no namespaces
folder=$1
shift
if [ -z "$ODL_SLURM_INSIDE" ]; then
  for program in unshare munged slurmctld slurmd sbatch scontrol; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" > /dev/null || { echo "$program is not installed"; exit 77; }
  done
  # Its daemons drop groups, which is for root alone, in no namespace of users.
  unshare --net --pid --fork --mount-proc true 2> /dev/null || { echo "no namespaces without root"; exit 77; }
  ODL_SLURM_INSIDE=1 exec unshare --net --pid --fork --kill-child --mount-proc "$0" "$folder" "$@"
fi
PATH=$PATH:/usr/sbin:/sbin
python3 - << 'END'
# What "ip link set lo up" and "ip address add 10.0.0.1 dev lo" do: Slurm asks for addresses of a
# machine's own network, for which glibc does not count 127.0.0.1.
import fcntl, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as some:
    fcntl.ioctl(some, 0x8914, struct.pack("16sh14x", b"lo", 0x49))
    fcntl.ioctl(some, 0x8916, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, bytes([10, 0, 0, 1])))
END
from=$PWD
mkdir -p "$folder/state" "$folder/spool"
cd "$folder" || exit 1
chmod 700 .
head -c 128 /dev/urandom > munge.key
chmod 600 munge.key
name=$(hostname -s)
cat > slurm.conf << END
ClusterName=test
SlurmctldHost=$name(10.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/ctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/ctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
NodeName=$name NodeAddr=10.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf"
munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
  --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" --force --num-threads=2 > munge.said 2>&1
slurmctld > ctld.said 2>&1
slurmd > slurmd.said 2>&1
for _ in $(seq 600); do
  grep -qs fatal ctld.said slurmd.said && break
  sinfo --noheader --format %t 2> /dev/null | grep -q idle && cd "$from" && exec env ODL_SLURM_INSIDE= "$@"
  sleep 0.1
done
tail -n 5 ./*.said ./*.log
exit 77
