# Adds to the image of the fleet what only its tests need. They need no browser.
ARG IMAGE
FROM $IMAGE
USER root
RUN apt-get update \
  && awk '($1 == "local" || $1 == "test") && $3 != "chromium" { print $3 }' /app/system-packages.txt | sort -u \
    | xargs apt-get install -y --no-install-recommends \
  && rm -rf /var/lib/apt/lists/*
USER node
