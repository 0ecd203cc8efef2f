# Two stages: a Debian that builds, a slim one that runs. No redis-cli inside: the server checks
# itself (mortise-server --ping).
FROM debian:bookworm AS build
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
      g++ cmake ninja-build pkg-config libboost-dev liblua5.4-dev lua-cjson lua-cjson-dev \
      libmsgpack-dev libxxhash-dev liblzf-dev libssl-dev && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cmake --preset release -DMORTISE_TESTS=OFF -DMORTISE_BENCH=OFF && \
    cmake --build build/release --target mortise_server_executable mortise_check_executable && \
    strip build/release/mortise-server build/release/mortise-check

FROM debian:bookworm-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
      liblua5.4-0 lua-cjson libmsgpackc2 libxxhash0 liblzf1 libssl3 && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --system --home-dir /data --create-home mortise
COPY --from=build /src/build/release/mortise-server /src/build/release/mortise-check /usr/local/bin/
COPY conf/mortise.conf /etc/mortise/mortise.conf
USER mortise
WORKDIR /data
EXPOSE 6379
HEALTHCHECK --interval=10s --timeout=2s CMD ["mortise-server", "--ping", "127.0.0.1:6379"]
ENTRYPOINT ["mortise-server", "/etc/mortise/mortise.conf"]
CMD ["--bind", "0.0.0.0", "--protected-mode", "no"]
