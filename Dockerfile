FROM node:24-slim AS build
WORKDIR /app
ENV PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node ace build

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3333
COPY package.json package-lock.json ./
# Optional packages are compilers and browsers for development; --omit=dev alone installs them. Vite, which makes the pages, is a peer of
# @adonisjs/vite, which reads them: npm installs it unless it is asked to leave peers alone. What we need of those we name ourselves.
RUN npm ci --omit=dev --omit=optional --legacy-peer-deps --no-audit --no-fund && npm cache clean --force
COPY --from=build /app/build ./
RUN mkdir tmp storage && chown node:node tmp storage
USER node
EXPOSE 3333
# Node itself, not npm, receives the signal that asks it to stop.
CMD ["node", "bin/server.js"]
