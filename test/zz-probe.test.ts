import { expect, inject, test } from 'vitest'
import { openAccount } from './support/accounts.ts'
import { makeTestFolder } from './support/folder.ts'
import { upload } from './support/jobs.ts'
import { writeFile } from 'node:fs/promises'
const system = inject('system')
const folder = makeTestFolder()
test('x', async () => {
  const { client } = await openAccount(system.api_url)
  await writeFile(`${folder}/a.jpg`, Buffer.alloc(1000, 3))
  const url = await upload(client, `${folder}/a.jpg`)
  for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0', 'bytes=990-2000', 'bytes=-5000', 'bytes=abc', 'bytes=0-1,5-6']) {
    const r = await client.send('GET', `/api/v1/uploads/download?url=${encodeURIComponent(url)}`, undefined, { range })
    console.log(range, r.status, r.headers.get('content-range'), r.headers.get('content-length'), (await r.arrayBuffer()).byteLength)
  }
  // list
  const { AwsClient } = await import('aws4fetch')
  const aws = new AwsClient({ accessKeyId: system.storage.access_key_id, secretAccessKey: system.storage.secret_access_key, service: 's3', region: 'auto' })
  const l = await aws.fetch(`${system.storage.url}?list-type=2&prefix=uploads/`)
  console.log(l.status, (await l.text()).slice(0, 800))
})
