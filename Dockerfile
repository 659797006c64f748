# SPDX-License-Identifier: Apache-2.0
# docker build -t headwater . && docker run --rm headwater list
FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends git python3-venv
COPY . /source
# The version is that of the last tag.
RUN python3 -m venv /opt/headwater \
  && git config --global --add safe.directory /source \
  && /opt/headwater/bin/pip install --no-cache-dir "/source[fpga,report]"

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
    g++ iverilog make opensta python3 qflow-tech-osu018 \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/headwater /opt/headwater
RUN useradd --create-home user
USER user
WORKDIR /home/user
ENTRYPOINT ["/opt/headwater/bin/headwater"]
