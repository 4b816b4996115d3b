# Makes of a Debian what SkyPilot's default images are: `sh task.sh ROOT UV LOCKED`.
#   ROOT    the file system
#   UV      the program
#   LOCKED  SkyPilot's runtime, with hashes
set -eu
root=$1 uv=$2 locked=$3
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt" # whom this machine trusts, tasks trust
cp --remove-destination --dereference /etc/resolv.conf "$root/etc/resolv.conf"
rm -f "$root"/usr/lib/python3*/EXTERNALLY-MANAGED # in an image that is for nothing else, pip may install
chroot "$root" useradd --uid 1000 --create-home --shell /bin/bash sky
echo 'sky ALL=(ALL) NOPASSWD:ALL' > "$root/etc/sudoers.d/sky"
install -D --owner 1000 --group 1000 --mode 755 "$uv" "$root/home/sky/.local/bin/uv"
chown -R 1000:1000 "$root/home/sky"
cp "$locked" "$root/tmp/locked.txt"
chroot --userspec=1000:1000 "$root" env --ignore-environment \
    HOME=/home/sky PATH=/home/sky/.local/bin:/usr/bin:/bin SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    UV_CACHE_DIR=/tmp/uv UV_LINK_MODE=hardlink UV_COMPILE_BYTECODE=1 sh -euc '
cd
uv venv --quiet --seed --python /usr/bin/python3 skypilot-runtime
VIRTUAL_ENV=$HOME/skypilot-runtime uv pip sync --quiet --require-hashes /tmp/locked.txt
uv venv --quiet --seed --relocatable --system-site-packages --python /usr/bin/python3 sky-user-env
'
rm -rf "$root/tmp/uv" "$root/tmp/locked.txt"
