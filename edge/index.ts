import { createApp } from './app.ts'
import { depsFor } from './deps.ts'
import { parseEnv } from './env.ts'
import { consumeBatch } from './queue.ts'
import { runScheduled } from './scheduled.ts'

export { QuotaCounter } from './platform/quotas/quota-counter.ts'

const app = createApp()

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),
  queue: (batch, env, context) => consumeBatch(depsFor(parseEnv(env), context), batch),
  scheduled: (_event, env, context) => runScheduled(depsFor(parseEnv(env), context)),
} satisfies ExportedHandler<object>
