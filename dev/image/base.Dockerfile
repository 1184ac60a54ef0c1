# Stands in for the base image that media-backend/Dockerfile names, where no registry of images is reachable: a
# bootstrap of the same Debian release, with the same Node from npm.
FROM scratch
ADD system.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/npmrc
COPY certificates.pem /usr/local/share/npm-certificates.pem
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && groupadd --gid 1000 node \
  && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
