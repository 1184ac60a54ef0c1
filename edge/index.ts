import { createApp } from './app.ts'
import { parseEnv } from './env.ts'
import { openDeps } from './open-deps.ts'
import { consumeBatch } from './queue.ts'
import { runScheduled } from './scheduled.ts'

export { DatabaseTasks } from './database-tasks.ts'
export { FleetQueue } from './jobs/fleet-queue.ts'
export { JobProgress } from './jobs/progress/job-progress.ts'
export { QuotaCounter } from './platform/quotas/quota-counter.ts'

const app = createApp()

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),
  queue: (batch, env, context) => consumeBatch(openDeps(parseEnv(env), context), batch),
  scheduled: (_event, env, context) => runScheduled(openDeps(parseEnv(env), context)),
} satisfies ExportedHandler<object>
