import { z } from 'zod'
import { LOOPBACK } from '../system/ports.ts'
import { readCorsRule } from './cors.ts'
import { createLocalStorage } from './server.ts'

const environment = z
  .object({
    PORT: z.coerce.number().int(),
    TARGET: z.url(),
    S3_ACCESS_KEY_ID: z.string(),
    S3_SECRET_ACCESS_KEY: z.string(),
  })
  .parse(process.env)

const credentials = {
  accessKeyId: environment.S3_ACCESS_KEY_ID,
  secretAccessKey: environment.S3_SECRET_ACCESS_KEY,
}
const rule = readCorsRule()
createLocalStorage({ target: environment.TARGET, credentials, rule }).listen(environment.PORT, LOOPBACK)
