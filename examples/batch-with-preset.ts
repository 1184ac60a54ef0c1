// Runs a preset on many photos as one batch: node examples/batch-with-preset.ts a.jpg b.jpg
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Media } from '../client/node/index.ts'

const paths = process.argv.slice(2)
const media = new Media()

// The presets of an operation are numbered in the order in which its page lists them.
const tools = await media.studio.listTools()
const tool = tools.find((each) => each.service_slug === 'image' && each.operation_key === 'resize')
const preset = tool?.presets.find(({ label }) => label === 'Square 1080')?.index ?? 0

const files = await Promise.all(
  paths.map(async (path) => ({ url: (await media.uploads.file(path)).url, filename: basename(path) })),
)
let batch = await media.batches.submit({ service_slug: 'image', operation_key: 'resize', preset, files })
while (batch.finished_at === null) {
  await delay(1000)
  batch = await media.batches.get(batch.id)
}
for (const job of batch.jobs) {
  console.log(job.result?.filename, job.result?.url ?? job.error)
  if (job.status === 'done') await media.jobs.result(job).save(`square-${job.result?.filename}`)
}
