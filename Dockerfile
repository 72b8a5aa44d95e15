# `docker build .` builds the webhook, `docker build --target lint .` the command line with git.
# `make requirements` writes the versions to install; change the base by its digest here.
ARG BASE=python:3.13.15-slim-bookworm@sha256:2325bb286ec344af3e5898cc224b5844e2707ac6e26b1632516fd3edc84a5e26

FROM ${BASE} AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY .github/requirements .github/requirements
COPY celvet celvet
COPY lint lint
COPY schemas schemas
COPY certs certs
COPY webhook webhook
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --no-cache-dir --require-hashes --requirement .github/requirements/build.txt \
 && /opt/build/bin/python -m build --wheel --no-isolation --outdir /dist \
 && python -m venv /opt/celvet \
 && /opt/celvet/bin/pip install --no-cache-dir --require-hashes --requirement .github/requirements/webhook.txt \
 && /opt/celvet/bin/pip install --no-cache-dir --no-deps /dist/*.whl \
 && /opt/celvet/bin/pip uninstall --yes pip

FROM ${BASE} AS runtime
COPY --from=build /opt/celvet /opt/celvet
ENV PATH=/opt/celvet/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 65532:65532
ENTRYPOINT ["celvet"]

# For CI jobs: `--changed-since` needs git.
FROM runtime AS lint
USER 0:0
RUN apt-get update && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && git config --system --add safe.directory '*'
USER 65532:65532
WORKDIR /src
CMD ["lint"]

FROM runtime AS webhook
# By default, glibc keeps the memory of large bodies. 320 KiB is more than asyncio reads at once.
ENV MALLOC_MMAP_THRESHOLD_=327680 MALLOC_TRIM_THRESHOLD_=1048576
EXPOSE 9443 8080
CMD ["serve", "--help"]
