import { type Client, createClient, type InStatement } from '@libsql/client/web'

let client: Client | undefined

/** Reference Worker for `submit`: it writes the statements it receives as one batch. */
export default {
  async fetch(request: Request, { DATABASE_URL }: { DATABASE_URL: string }): Promise<Response> {
    if (request.method !== 'POST') return Response.json({ ok: true })
    client ??= createClient({ url: DATABASE_URL, concurrency: Number.MAX_SAFE_INTEGER })
    await client.batch((await request.json()) as InStatement[], 'write')
    return Response.json({ ok: true }, { status: 201 })
  },
}
