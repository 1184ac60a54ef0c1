import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { smallClip } from '../../media-backend/testing/hostile-clips.ts'
import { Client } from '../client.ts'
import { ask } from './ask.ts'
import { makeBadSessions } from './bad-sessions.ts'
import type { Access } from './document.ts'
import type { SampleFile } from './form.ts'
import type { Resources } from './resource-type.ts'
import { makeResources } from './resources.ts'
import type { Target } from './target.ts'

export interface Caller {
  name: string
  headers: Record<string, string>
  /** The access levels that the caller's credentials satisfy. */
  grants: readonly Access[]
}

/** The data from which requests are generated. */
export interface PreparedSystem {
  callers: Caller[]
  resources: Resources
  submissions: { service_slug: string; operation_key: string; params: Record<string, unknown> }[]
  files: SampleFile[]
  /** Accounts whose ledgers must be consistent at the end. */
  clients: Client[]
}

const CREDITS = 1_000_000

/** Creates accounts, API keys, and one of almost every kind of resource, using only the API. */
export async function prepareSystem(target: Target): Promise<PreparedSystem> {
  const administrator = new Client(target.api_url)
  await administrator.login(target.admin)
  const open = async (name: string): Promise<Client & { id: number }> => {
    const client = new Client(target.api_url)
    await client.register({
      email: `${name}-${crypto.randomUUID()}@localhost.test`,
      password: crypto.randomUUID(),
    })
    const { account_id } = await ask<{ account_id: number }>(client, 'GET', '/api/v1/me/ping')
    return Object.assign(client, { id: account_id })
  }
  const [owner, stranger, victim, blocked] = await Promise.all(
    ['owner', 'stranger', 'victim', 'blocked'].map(open),
  )
  if (!owner || !stranger || !victim || !blocked) throw new Error('An account is missing.')
  await ask(administrator, 'POST', '/api/v1/billing/admin/topup', { account_id: owner.id, credits: CREDITS })
  await ask(administrator, 'PATCH', `/api/v1/admin/accounts/${blocked.id}`, { blocked: true })
  const folder = await mkdtemp(join(tmpdir(), 'requests-'))
  try {
    const files = await makeFiles(folder)
    const [image, clip, unowned] = await Promise.all([
      owner.upload(join(folder, 'dot.png'), 'image/png'),
      owner.upload(join(folder, 'clip.mp4'), 'video/mp4'),
      new Client(target.api_url).upload(join(folder, 'dot.png'), 'image/png'),
    ])
    const submissions = submissionsOf(image, clip)
    const resources = await makeResources({ target, administrator, owner, victim, image, clip, unowned })
    const callers = await makeCallers(target, { administrator, owner, stranger, blocked })
    return { callers, resources, submissions, files, clients: [owner, stranger] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates an image, a clip, and files that are neither. */
async function makeFiles(folder: string): Promise<SampleFile[]> {
  const image = await sharp({ create: { width: 24, height: 24, channels: 3, background: '#aa3322' } })
    .png()
    .toBuffer()
  const clip = await smallClip('requests.mp4', [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ])
  const files = [
    { filename: 'dot.png', content_type: 'image/png', content: image },
    { filename: 'clip.mp4', content_type: 'video/mp4', content: clip },
    { filename: 'text.txt', content_type: 'text/plain', content: Buffer.from('no picture') },
    { filename: 'empty.png', content_type: 'image/png', content: Buffer.alloc(0) },
    {
      filename: 'large.bin',
      content_type: 'application/octet-stream',
      content: Buffer.alloc(300_000, 'large'),
    },
  ]
  await Promise.all(files.map(({ filename, content }) => writeFile(join(folder, filename), content)))
  return files
}

function submissionsOf(image: string, clip: string): PreparedSystem['submissions'] {
  const imageJob = (operation_key: string, params: object) => ({
    service_slug: 'image',
    operation_key,
    params: { file_url: image, ...params },
  })
  return [
    imageJob('resize', { width: 16 }),
    imageJob('convert', { format: 'webp' }),
    imageJob('transform', { rotate: 90 }),
    imageJob('strip_meta', {}),
    { service_slug: 'video', operation_key: 'thumbnail', params: { file_url: clip } },
    { service_slug: 'video', operation_key: 'mute', params: { file_url: clip } },
    // These jobs are refused by the edge or fail in the fleet.
    imageJob('edit', {}),
    { service_slug: 'video', operation_key: 'trim', params: { file_url: image, start: 0 } },
    { service_slug: 'video', operation_key: 'download_video', params: { url: 'https://nowhere.invalid/' } },
  ]
}

async function makeCallers(
  { session_keys }: Target,
  clients: Record<'administrator' | 'owner' | 'stranger' | 'blocked', Client>,
): Promise<Caller[]> {
  const { administrator, owner, stranger, blocked } = clients
  const makeKey = (client: Client, max_per_day = 0) =>
    ask<{ id: number; plaintext: string }>(client, 'POST', '/api/v1/tokens', { max_per_day })
  const [key, otherKey, paused, deleted, revoked, spent] = await Promise.all([
    makeKey(owner),
    makeKey(stranger),
    ...[0, 0, 0, 1].map((max_per_day) => makeKey(owner, max_per_day)),
  ])
  if (!key || !otherKey || !paused || !deleted || !revoked || !spent)
    throw new Error('An API key is missing.')
  await ask(owner, 'POST', `/api/v1/tokens/${paused.id}/toggle`)
  await ask(owner, 'DELETE', `/api/v1/tokens/${deleted.id}`)
  await ask(administrator, 'POST', `/api/v1/admin/tokens/${revoked.id}/revoke`)
  const bearer = (token: string | null) => ({ authorization: `Bearer ${token}` })
  const header = (text: string) => ({ 'x-api-key': text })
  const bad: Record<string, Record<string, string>> = {
    'a blocked session': bearer(blocked.token),
    'a paused key': header(paused.plaintext),
    'a deleted key': header(deleted.plaintext),
    'a revoked key': header(revoked.plaintext),
    'a key over its daily limit': header(spent.plaintext),
    'an unknown key': header(`mk_${'x'.repeat(32)}`),
    'a malformed key': header('é key'),
    'a long key': header('k'.repeat(6000)),
    'no bearer': { authorization: 'Basic dXNlcjpwYXNzd29yZA==' },
    'an empty bearer': { authorization: 'Bearer ' },
    'a session as key': header(owner.token ?? ''),
    'an invalid session and an invalid key': { ...bearer('x.y.z'), ...header('mk_') },
  }
  for (const [name, token] of Object.entries(await makeBadSessions(session_keys, owner.token ?? ''))) {
    bad[name] = bearer(token)
  }
  const session = ['session', 'either', 'anyone'] as const
  return [
    { name: 'an anonymous caller', headers: {}, grants: ['none', 'anyone'] },
    { name: "the owner's session", headers: bearer(owner.token), grants: session },
    { name: "a stranger's session", headers: bearer(stranger.token), grants: session },
    { name: "the owner's key", headers: header(key.plaintext), grants: ['either', 'anyone'] },
    { name: "the owner's key as bearer", headers: bearer(key.plaintext), grants: ['either'] },
    { name: "a stranger's key", headers: header(otherKey.plaintext), grants: ['either'] },
    { name: "an administrator's session", headers: bearer(administrator.token), grants: ['admin'] },
    ...Object.entries(bad).map(([name, headers]) => ({ name, headers, grants: [] })),
  ]
}
