#!/bin/sh
# Makes the user of the nodes when the database of deploy/compose.yaml is new.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set "password=$NODE_PASSWORD" <<'END'
create role gyre_node login password :'password';
END
