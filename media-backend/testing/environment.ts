import { parseEnvironment } from '../environment.ts'

/** Settings for a fleet without connections, which works only on local files. */
export const LONE_ENVIRONMENT = parseEnvironment({
  ...{ EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' },
  ...{ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
})
