# The image of Gyre. It runs every command: `docker run IMAGE up https://example.org`.
#
#   dependencies  the packages that Gyre needs at run time
#   kernels       the sources, with the WebAssembly kernels compiled
#   program       both, tested by `gyre selftest`
#   (last)        Debian, Node and Gyre; no npm, no compiler and no development dependency
#
# The image works with a read-only root file system and without any capability. All data are in the volume /data.
# docs/deployment.md explains how to run it; `npm run test:deploy` builds and tests it.

FROM node:24-trixie-slim AS dependencies
WORKDIR /gyre
COPY package.json package-lock.json ./
# Both secrets are optional and do not become part of the image: `npmrc` is a configuration of npm, for example for a
# mirror of the registry, and `authorities` a PEM file that it may name. No install script runs: the only one of
# them downloads Node. Without type declarations and source maps, the packages take 17 MB less. Their
# documentation stays, because the sample web is made from it.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=authorities \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && find node_modules -type f '(' -name '*.d.ts' -o -name '*.map' ')' -delete

FROM node:24-trixie-slim AS kernels
WORKDIR /gyre
COPY package.json package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=authorities \
    npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build-kernels.ts scripts/build-dashboard.ts scripts/
COPY src src
RUN node scripts/build-kernels.ts && node scripts/build-dashboard.ts

FROM dependencies AS program
COPY bin bin
COPY --from=kernels /gyre/src src
# Node keeps compiled code in .cache, in a folder for each user. In a running container it is read-only, so the user
# of the image fills it here. The self-test crawls, indexes and searches, so it compiles most files.
RUN mkdir .cache && chown 10001:10001 .cache
USER 10001:10001
RUN GYRE_MEANING_MODEL=off node bin/gyre selftest


FROM debian:trixie-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin gyre \
    && install -d -o gyre -g gyre -m 0750 /data \
    && ln -s /gyre/bin/gyre /usr/local/bin/gyre
COPY --from=program /usr/local/bin/node /usr/local/bin/node
COPY --from=program /gyre /gyre

ENV GYRE_DATA=/data GYRE_SERVE_HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# The shell sends the request itself: a Node process for each check would take 40 MB.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/${GYRE_SERVE_PORT:-8080} && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["gyre"]
CMD ["up"]
