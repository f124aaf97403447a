# The product without its build tools. Build it with: docker build -t promo-console .
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /srv/promo-console
COPY package.json package-lock.json ./
# Applied to libraries after the installation.
COPY app/remix/patches app/remix/patches
RUN npm ci --omit=dev --no-audit --no-fund
# Each of these decides whether a build is current, so the image keeps them.
COPY remix.config.js tsconfig.json vite.config.ts LICENSE ./
COPY app app
COPY migrations migrations
COPY public public
COPY styles styles
RUN npm run build && node app/build-tools/remove-build-tools.js && rm -rf .cache

FROM ${NODE_IMAGE}
# DATA_VOLUME refuses to keep data in the container: it goes to a volume at /data, or to a database elsewhere.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5000 DATA_DIR=/data DATA_VOLUME=1
RUN mkdir /data && chown node:node /data
COPY --from=build /srv/promo-console /srv/promo-console
WORKDIR /srv/promo-console
USER node
EXPOSE 5000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "app/server/main.js"]
