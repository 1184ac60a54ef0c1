// Resizes every photo that is added to a folder: node examples/resize-on-upload.ts inbox outbox
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { JobError, Media } from '../client/node/index.ts'

const [inbox = 'inbox', outbox = 'outbox'] = process.argv.slice(2)
// The URL and the key come from MEDIA_API_URL and MEDIA_API_KEY.
const media = new Media()
const seen = new Set<string>()
await mkdir(outbox, { recursive: true })

for (;;) {
  for (const name of await readdir(inbox)) {
    if (seen.has(name)) continue
    seen.add(name)
    try {
      const result = await media.image.resize(join(inbox, name), { width: 800 })
      await result.save(join(outbox, name))
      console.log(`${name}: ${result.body.width} x ${result.body.height}`)
    } catch (error) {
      if (!(error instanceof JobError)) throw error
      console.error(`${name}: ${error.message}`)
    }
  }
  await delay(1000)
}
