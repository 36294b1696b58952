# shellcheck shell=bash
# The servers of `scripts/services run`. Each start_NAME starts one and exports its URL, unless the URL is given.
# The script that sources this file has the functions that install packages and print errors.

# The process ids of the servers, the signal that stops each, and the folder with their data.
servers=()
signals=()
data=

ensure_postgresql() {
  [[ -z ${TEST_POSTGRES_URL:-} ]] || return 0
  find_postgresql >/dev/null && return
  install_packages postgresql && find_postgresql >/dev/null && return
  fail 'cannot install PostgreSQL: install it yourself, or name a server for tests with TEST_POSTGRES_URL=postgres://...'
}

# Prints the folder with the programs of PostgreSQL. Debian does not put initdb on PATH.
find_postgresql() {
  local folder
  for folder in ${POSTGRESQL_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV)}; do
    if [[ -x $folder/initdb && -x $folder/postgres ]]; then
      echo "$folder"
      return
    fi
  done
  return 1
}

run_with_servers() {
  local names=() name child status=0
  while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
      postgresql | rabbitmq | s3) names+=("$1") ;;
      *) wrong "unknown server: $1" ;;
    esac
    shift
  done
  [[ ${#names[@]} -gt 0 && $# -gt 1 ]] || wrong 'run needs a server, -- and a command'
  shift
  trap stop_servers EXIT
  trap 'exit 143' TERM
  trap 'exit 130' INT
  trap 'exit 129' HUP
  for name in "${names[@]}"; do "start_$name"; done
  # The shell reacts to signals only while it waits, so the command runs in the background.
  "$@" <&0 &
  child=$!
  for name in TERM INT HUP; do trap "kill -s $name $child 2>/dev/null || true" "$name"; done
  # A signal ends the first wait early. The second one waits for the command itself.
  while wait "$child" && status=0 || status=$?; kill -0 "$child" 2>/dev/null; do :; done
  exit "$status"
}

start_postgresql() {
  [[ -z ${TEST_POSTGRES_URL:-} ]] || return 0
  ensure_postgresql
  local bin folder password port attempt
  bin=$(find_postgresql)
  make_data_folder
  folder=$data/postgresql
  password=$(random_word)
  mkdir "$folder"
  echo "$password" >"$folder/password"
  give_to postgres "$folder" INT
  logged "${unprivileged[@]}" "$bin/initdb" --no-sync --locale=C.UTF-8 --auth=scram-sha-256 --username=gyre \
    --pwfile="$folder/password" -D "$folder/cluster" || fail 'cannot create a PostgreSQL cluster'
  for attempt in 1 2 3 4 5; do
    port=$(random_port)
    write_postgresql_start "$folder" "$bin" "$port"
    # PostgreSQL closes its connections and stops on SIGINT.
    start_server INT "$folder/start"
    if wait_for_server grep -qs 'ready *$' "$folder/cluster/postmaster.pid"; then
      export TEST_POSTGRES_URL="postgres://gyre:$password@127.0.0.1:$port/postgres"
      export TEST_POSTGRES_START="$folder/start"
      return
    fi
  done
  fail_to_start PostgreSQL
}

# Writes a program that starts a PostgreSQL server and writes its process id to the file `pid`. Without `fsync`, a killed
# server still loses nothing: only a crash of the machine would.
write_postgresql_start() {
  local folder=$1 bin=$2 port=$3
  cat >"$folder/start" <<TEXT
#!/usr/bin/env bash
echo \$\$ >'$folder/pid'
exec ${unprivileged[@]@Q} '$bin/postgres' -D '$folder/cluster' -p $port -k '$folder' \\
  -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=32MB
TEXT
  chmod 755 "$folder/start"
}

ensure_rabbitmq() {
  [[ -z ${TEST_RABBITMQ_URL:-} ]] || return 0
  find_rabbitmq >/dev/null && return
  install_packages rabbitmq-server && find_rabbitmq >/dev/null && return
  fail 'cannot install RabbitMQ: install it yourself, or name a server for tests with TEST_RABBITMQ_URL=amqp://...'
}

# Prints the folder with the programs of RabbitMQ. The program on PATH is a wrapper that insists on the user of the
# package and its folders.
find_rabbitmq() {
  local folder=${RABBITMQ_BIN:-/usr/lib/rabbitmq/bin}
  [[ -x $folder/rabbitmq-server ]] && echo "$folder"
}

start_rabbitmq() {
  [[ -z ${TEST_RABBITMQ_URL:-} ]] || return 0
  ensure_rabbitmq
  local folder password port attempt
  make_data_folder
  password=$(random_word)
  for attempt in 1 2 3 4 5; do
    port=$(random_port)
    folder=$data/rabbitmq-$port
    write_rabbitmq_files "$folder" "$port" "$password"
    # The server would start this daemon itself, and nothing would stop it.
    start_server TERM "${unprivileged[@]}" epmd -port $((port + 2)) -address 127.0.0.1
    start_server TERM "$folder/start"
    # The server listens when everything else is ready.
    if wait_for_server grep -qsF "started TCP listener on 127.0.0.1:$port" "$data/server.log"; then
      export TEST_RABBITMQ_URL="amqp://gyre:$password@127.0.0.1:$port" TEST_RABBITMQ_START="$folder/start"
      return
    fi
  done
  fail_to_start RabbitMQ
}

# Writes the settings of a RabbitMQ server, and a program that starts it and writes its process id to the file `pid`. The
# user has the permissions of docs/cluster.md; reading and writing are the same, because RabbitMQ 3.10 confuses these two settings.
write_rabbitmq_files() {
  local folder=$1 port=$2 password=$3
  mkdir "$folder"
  cat >"$folder/rabbitmq.conf" <<TEXT
listeners.tcp.1 = 127.0.0.1:$port
default_user = gyre
default_pass = $password
default_permissions.configure = ^[a-z0-9-]+[.]links[.].*
default_permissions.write = ^([a-z0-9-]+[.]links[.].*|amq[.]default)$
default_permissions.read = ^([a-z0-9-]+[.]links[.].*|amq[.]default)$
log.console = true
log.file = false
TEXT
  echo '[].' >"$folder/plugins"
  (umask 077 && random_word >"$folder/.erlang.cookie")
  give_to rabbitmq "$folder" TERM
  cat >"$folder/start" <<TEXT
#!/usr/bin/env bash
echo \$\$ >'$folder/pid'
export HOME='$folder' RABBITMQ_NODENAME=gyre-$port@localhost RABBITMQ_DIST_PORT=$((port + 1))
export ERL_EPMD_PORT=$((port + 2)) ERL_EPMD_ADDRESS=127.0.0.1
export RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_CONFIG_FILE='$folder/rabbitmq.conf'
export RABBITMQ_ADVANCED_CONFIG_FILE='$folder/absent' RABBITMQ_ENABLED_PLUGINS_FILE='$folder/plugins'
export RABBITMQ_MNESIA_BASE='$folder/mnesia' RABBITMQ_LOG_BASE='$folder/log' RABBITMQ_GENERATED_CONFIG_DIR='$folder'
export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1} -start_epmd false +S 1:1'
# The script of RabbitMQ replaces itself by the server, instead of starting it as a child.
export RUNNING_UNDER_SYSTEMD=true
exec ${unprivileged[@]@Q} '$(find_rabbitmq)/rabbitmq-server'
TEXT
  chmod 755 "$folder/start"
}

ensure_s3() {
  [[ -z ${TEST_S3_URL:-} ]] || return 0
  has_ceph && return
  install_packages "${ceph_packages[@]}" && has_ceph && return
  fail "cannot install Ceph: install ${ceph_packages[*]} yourself, or name an S3 server for tests with TEST_S3_URL=http://key:secret@host:port"
}

ceph_packages=(radosgw ceph-mon ceph-osd)

has_ceph() {
  local program
  for program in radosgw radosgw-admin ceph ceph-mon ceph-osd ceph-authtool monmaptool; do
    command -v "$program" >/dev/null || return 1
  done
}

# Starts a Ceph cluster of one monitor and one OSD that stores objects in memory, and the S3 gateway of Ceph.
start_s3() {
  [[ -z ${TEST_S3_URL:-} ]] || return 0
  ensure_s3
  local folder key secret port attempt
  make_data_folder
  key=$(random_word)
  secret=$(random_word)
  for attempt in 1 2 3 4 5; do
    port=$(random_port)
    folder=$data/s3-$port
    if start_ceph "$folder" "$port" "$key" "$secret" 2>>"$data/server.log"; then
      export TEST_S3_URL="http://$key:$secret@127.0.0.1:$port"
      return
    fi
  done
  fail_to_start 'Ceph'
}

start_ceph() {
  local folder=$1 port=$2 key=$3 secret=$4 fsid uuid
  local ceph=(timeout 60 ceph --conf "$folder/ceph.conf")
  fsid=$(</proc/sys/kernel/random/uuid)
  uuid=$(</proc/sys/kernel/random/uuid)
  write_ceph_files "$folder" "$port" "$fsid" || return 1
  local options=(--conf "$folder/ceph.conf" --foreground)
  logged "${unprivileged[@]}" ceph-mon "${options[@]}" --mkfs --id a --monmap "$folder/monmap" || return 1
  start_server KILL "${unprivileged[@]}" ceph-mon "${options[@]}" --id a
  logged "${ceph[@]}" osd new "$uuid" || return 1
  logged "${unprivileged[@]}" ceph-osd "${options[@]}" --mkfs --id 0 --osd-uuid "$uuid" || return 1
  start_server KILL "${unprivileged[@]}" ceph-osd "${options[@]}" --id 0
  start_server KILL "${unprivileged[@]}" radosgw "${options[@]}" --name client.admin
  wait_for_server is_open "$port" || return 1
  logged timeout 60 radosgw-admin --conf "$folder/ceph.conf" user create --uid=gyre --display-name=gyre \
    "--access-key=$key" "--secret-key=$secret"
}

# The paxos intervals make the start take a second instead of twelve: each new pool waits for two proposals.
write_ceph_files() {
  local folder=$1 port=$2 fsid=$3
  mkdir "$folder" "$folder/mon" "$folder/osd"
  cat >"$folder/ceph.conf" <<TEXT
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$((port + 1))]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
osd heartbeat addr = 127.0.0.1
ms bind port min = $((port + 2))
ms bind port max = $((port + 30))
run dir = $folder
crash dir = $folder
admin socket =
keyring = $folder/keyring
log file =
mon cluster log file =
log to stderr = true
mon data = $folder/mon
osd data = $folder/osd
osd objectstore = memstore
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon data avail crit = 0
paxos propose interval = 0.01
paxos min wait = 0.01
rgw frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw thread pool size = 16
rgw enable gc threads = false
rgw enable lc threads = false
rgw run sync thread = false
TEXT
  local make=(logged ceph-authtool "$folder/keyring" --gen-key --cap mon 'allow *' --cap osd 'allow *')
  "${make[@]}" --create-keyring -n mon. && "${make[@]}" -n client.admin && "${make[@]}" -n osd.0 || return 1
  logged monmaptool --create --addv a "[v2:127.0.0.1:$((port + 1))]" --fsid "$fsid" "$folder/monmap" || return 1
  give_to ceph "$folder" KILL
}

# Returns success if a server listens on the port.
is_open() {
  (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

make_data_folder() {
  [[ -z $data ]] || return 0
  data=$(mktemp -d "${TMPDIR:-/tmp}/gyre-servers-XXXXXX")
  chmod 711 "$data"
}

# Prints a port that is followed by thirty others below 32768. Ports from there on belong to outgoing connections.
random_port() {
  echo $((20000 + RANDOM % 12700))
}

random_word() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# Sets `unprivileged` to a command that runs a program as the user of its package, because servers refuse to run as
# root or should not. Gives the folder to this user. If this script does not run as root, its own user does both.
# The kernel sends the signal to the program if this script is killed.
give_to() {
  local user=$1 folder=$2 signal=$3
  unprivileged=(env -C "$data" setpriv --pdeathsig "$signal")
  if [[ $(id -u) == 0 ]]; then
    unprivileged+=("--reuid=$user" "--regid=$user" --clear-groups)
    chown -R "$user:$user" "$folder"
  fi
  unprivileged+=(--)
}

# Starts a server in the background. The first argument is the signal that stops it.
start_server() {
  local signal=$1
  shift
  "$@" >>"$data/server.log" 2>&1 &
  servers+=($!)
  signals+=("$signal")
}

# Waits up to 60 seconds for a command to succeed. Fails at once if the last server has ended.
wait_for_server() {
  local attempt
  for attempt in {1..1200}; do
    ! "$@" || return 0
    kill -0 "${servers[-1]}" 2>/dev/null || return 1
    sleep 0.05
  done
  return 1
}

fail_to_start() {
  sed 's/^/  /' "$data/server.log" | tail -n 5 >&2
  fail "cannot start $1"
}

stop_servers() {
  local index
  trap '' TERM INT HUP
  for index in "${!servers[@]}"; do kill -s "${signals[index]}" "${servers[index]}" 2>/dev/null || true; done
  for index in "${!servers[@]}"; do wait "${servers[index]}" 2>/dev/null || true; done
  [[ -z $data ]] || rm -rf "$data"
}
