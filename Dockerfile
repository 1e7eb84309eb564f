# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY . ./
# The commit that `slipway --version` names.
ARG SLIPWAY_COMMIT=
# The package is what everybody installs: the built program, without compiler, sources and what only a build needs.
RUN npm ci --no-audit --no-fund \
 && npm pack --ignore-scripts --pack-destination /tmp \
 && npm install --global --prefix /opt/slipway --no-audit --no-fund /tmp/slipway-*.tgz

FROM node:24-slim
# git: the bundled agent checks out with it.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git ca-certificates openssh-client \
 && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /opt/slipway/lib/node_modules/slipway /app
RUN ln -s /app/dist/main.js /usr/local/bin/slipway && mkdir /data && chown node:node /data
WORKDIR /app
# By number, so that Kubernetes sees that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--enable-source-maps", "/app/dist/main.js"]
CMD ["serve"]
