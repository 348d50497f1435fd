# The packed program on a small system, run by an unprivileged user. docs/install.md has examples.
FROM node:24-alpine AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund \
 && npm run package \
 && npm install --global --offline --prefix /installed ./build/*.tgz

FROM node:24-alpine
COPY --from=build /installed /usr/local
RUN adduser -D -H -u 10001 -h /data chat && mkdir -m 700 /data && chown chat /data
# Settings, conversations and caches: mount a volume there to keep them.
ENV HOME=/data
WORKDIR /data
USER 10001
ENTRYPOINT ["chat"]
