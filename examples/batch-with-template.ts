// Runs a saved template on many photos as one batch: node examples/batch-with-template.ts a.jpg b.jpg
import { basename } from 'node:path'
import { Media } from '../client/node/index.ts'

const paths = process.argv.slice(2)
const media = new Media()

// Saving the same content again changes nothing.
await media.templates.save('square', {
  service_slug: 'image',
  operations: [
    { operation_key: 'resize', params: { width: 1080, height: 1080, resize_mode: 'fill' } },
    { operation_key: 'compress', params: { quality: 80 } },
  ],
})

const files = await Promise.all(
  paths.map(async (path) => ({ url: (await media.uploads.file(path)).url, filename: basename(path) })),
)
let batch = await media.templates.submitBatch('square', { files })
while (batch.finished_at === null) batch = await media.batches.get(batch.id, { wait: 60 })
for (const job of batch.jobs) {
  console.log(job.result?.filename, job.result?.url ?? job.error)
  if (job.status === 'done') await media.jobs.result(job).save(`square-${job.result?.filename}`)
}
