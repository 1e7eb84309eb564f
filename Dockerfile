# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .swcrc schema.graphql ./
COPY scripts ./scripts
COPY src ./src
# The commit that `slipway --version` names.
ARG SLIPWAY_COMMIT=
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
# git: the bundled agent checks out with it.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git ca-certificates openssh-client \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN ln -s /app/dist/main.js /usr/local/bin/slipway && chmod +x dist/main.js && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--enable-source-maps", "/app/dist/main.js"]
CMD ["serve"]
