# Process 1 of the node: makes its file system, moves into it, and waits there for whatever ends without a parent.
# `unshare --mount --net --pid --uts --ipc --fork --kill-child sh enter.sh NAME ROOT FOLDER BIN`:
#   NAME    its host name
#   ROOT    the file system as it was built, which is only read
#   FOLDER  what belongs to this node alone
#   BIN     our tools
set -eu
name=$1 root=$2 folder=$3 bin=$4 new=$3/merged
hostname "$name"
mount -t overlay node -o "lowerdir=$root,upperdir=$folder/upper,workdir=$folder/work" "$new"
mount -t proc proc "$new/proc"
mount -t sysfs sysfs "$new/sys"
mount --rbind /sys/fs/cgroup "$new/sys/fs/cgroup"
mount --rbind /dev "$new/dev"
mount -t tmpfs tmpfs "$new/run"
mount -t tmpfs tmpfs "$new/tmp"
bind() {
    mkdir -p "$folder/$1" "$new/$2"
    mount --bind "$folder/$1" "$new/$2"
}
bind containerd var/lib/containerd
bind kubelet var/lib/kubelet
bind logs var/log
bind shared mnt/skyfleet
bind etc etc/skyfleet
mkdir -p "$new/opt/skyfleet"
mount --bind "$bin" "$new/opt/skyfleet"
# What a kubelet tunes in the kernel holds for the whole machine, so it writes into copies.
for setting in vm/overcommit_memory kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    copy=$folder/$(basename "$setting")
    cat "/proc/sys/$setting" > "$copy"
    mount --bind "$copy" "$new/proc/sys/$setting"
done
# The machine that the kubelet is to report, see sim/node/size.py.
mount --bind "$folder/machine/meminfo" "$new/proc/meminfo"
mount --bind "$folder/machine/node" "$new/sys/devices/system/node"
cd "$new"
mkdir -p old
pivot_root . old
exec chroot . sh -c 'mount --make-rshared / && umount -l /old && cp /etc/skyfleet/resolv.conf /etc/resolv.conf && ip link set lo up && mkdir -p /run/netns && exec /opt/skyfleet/pause'
