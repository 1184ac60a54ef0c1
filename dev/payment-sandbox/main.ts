import { z } from 'zod'
import { startPaymentSandbox } from './server.ts'

const Environment = z.object({
  PORT: z.coerce.number().int(),
  SECRET: z.string().min(16),
  STATE_FILE: z.string().min(1),
  CARD_CALLBACK_URL: z.url(),
  LATE_MS: z.coerce.number().int().min(0).optional(),
})

// The sandbox runs in a separate process, like the mail catcher and the OpenID provider.
if ([process.env.ENVIRONMENT, process.env.NODE_ENV].includes('production')) {
  console.error('The payment sandbox moves no money, so it does not start in production.')
  process.exit(1)
}
const environment = Environment.parse(process.env)
const { url } = await startPaymentSandbox({
  port: environment.PORT,
  secret: environment.SECRET,
  state_file: environment.STATE_FILE,
  card_callback_url: environment.CARD_CALLBACK_URL,
  late_ms: environment.LATE_MS,
})
console.log(`The payment sandbox is at ${url}. No money moves.`)
