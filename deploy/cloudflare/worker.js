// Not run here; see wrangler.jsonc. Needs `npm install @cloudflare/containers` in this folder.
import { Container, getContainer } from '@cloudflare/containers'

const SECRETS = [
  'REDIS_URL',
  'REDIS_PASSWORD',
  'FLEET_KEYS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
]
const SETTINGS = ['ENVIRONMENT', 'EDGE_URL', 'S3_ENDPOINT', 'S3_BUCKET', 'OTEL_EXPORTER_OTLP_ENDPOINT']

export class Fleet extends Container {
  defaultPort = 8790
  sleepAfter = '10m'
  envVars = Object.fromEntries(
    [...SECRETS, ...SETTINGS].flatMap((name) =>
      this.env[name] === undefined ? [] : [[name, this.env[name]]],
    ),
  )
}

/** Every instance serves all lanes and accepts jobs; the edge sends its signed requests to this Worker. */
export default {
  fetch(request, env) {
    const number = Math.floor(Math.random() * Number(env.INSTANCES))
    return getContainer(env.FLEET, `fleet-${number}`).fetch(request)
  },
  async scheduled(_event, env) {
    const numbers = Array.from({ length: Number(env.INSTANCES) }, (_, number) => number)
    await Promise.all(
      numbers.map((number) => getContainer(env.FLEET, `fleet-${number}`).fetch('http://fleet/health')),
    )
  },
}
