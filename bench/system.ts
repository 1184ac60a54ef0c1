import { randomBytes } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import { Client } from '../dev/client.ts'
import { runBuiltWorker } from '../dev/system/parts.ts'
import { findFreePorts, LOOPBACK, type Ports } from '../dev/system/ports.ts'
import { GENEROUS_LIMITS } from '../dev/system/settings.ts'
import { describeExit, type System, startSystem } from '../dev/system/system.ts'
import { BUCKET, storageUrl } from '../dev/system/wrangler-config.ts'
import { changeStatements, loadCredits } from '../edge/credits/queries.ts'
import { grant } from '../edge/credits/rules/ledger.ts'
import { type Database, openDatabase } from '../edge/platform/database/client.ts'
import { commit } from '../edge/platform/database/commit.ts'

const CREDITS = 1_000_000
const TokenResponse = z.object({ plaintext: z.string() })
const PingResponse = z.object({ account_id: z.int() })

/** Context of a measure: a temporary folder, and the system if `needsSystem` is set. */
export interface Bench {
  folder: string
  /** @throws Error if the system was not started. */
  system(): BenchSystem
}

export interface BenchSystem {
  ports: Ports
  database_url: string
  fleet_keys: string
  db: Database
  /**
   * Registers an account with enough credits for every round. The client authenticates with the account's API key.
   */
  openAccount(): Promise<{ client: Client; account_id: number }>
  /** Returns a URL that allows the request for an hour. */
  signStorageUrl(method: 'GET' | 'PUT', key: string): Promise<string>
  stop(): Promise<void>
}

/** Starts the whole system on free ports, with the Worker, the lock time and the cron interval of production. */
export async function startBenchSystem(dataDirectory: string, signal: AbortSignal): Promise<BenchSystem> {
  const ports = await findFreePorts()
  const system = await startSystem({
    ports,
    dataDirectory,
    signal,
    fleet: { LOCK_SECONDS: '30' },
    cron_interval_ms: 60_000,
    settings: GENEROUS_LIMITS,
    edge_command: runBuiltWorker,
    onExit: (part, reason) => console.error(describeExit(part, reason)),
  })
  const database_url = `http://${LOOPBACK}:${ports.database}`
  const db = openDatabase(database_url, undefined)
  const { fleet_keys } = system.secrets
  return {
    ports,
    database_url,
    fleet_keys,
    db,
    openAccount: () => openAccount(system, db),
    signStorageUrl: (method, key) => signStorageUrl(system, ports, method, key),
    stop: system.stop,
  }
}

async function signStorageUrl(
  { secrets }: System,
  ports: Ports,
  method: string,
  key: string,
): Promise<string> {
  const signer = new AwsV4Signer({
    accessKeyId: secrets.s3_access_key_id,
    secretAccessKey: secrets.s3_secret_access_key,
    method,
    url: `${storageUrl(ports)}/${BUCKET}/${key}?X-Amz-Expires=3600`,
    service: 's3',
    region: 'auto',
    signQuery: true,
  })
  return (await signer.sign()).url.href
}

async function openAccount(
  { api_url }: System,
  db: Database,
): Promise<{ client: Client; account_id: number }> {
  const client = new Client(api_url)
  const email = `bench-${randomBytes(6).toString('hex')}@localhost.test`
  await client.register({ email, password: randomBytes(18).toString('base64url') })
  const key = await client.send('POST', '/api/v1/tokens', { name: 'bench' })
  client.token = TokenResponse.parse(await key.json()).plaintext
  const ping = await client.send('GET', '/api/v1/me/ping')
  const { account_id } = PingResponse.parse(await ping.json())
  await addCredits(db, account_id)
  return { client, account_id }
}

/** Adds credits in the form of an administrator's adjustment, because the daily allowance covers only ten jobs. */
async function addCredits(db: Database, account_id: number): Promise<void> {
  const { credits } = await loadCredits(db, account_id)
  const cause = `bench:${account_id}`
  const change = grant(credits, { kind: 'adjust', amount: CREDITS, expires_at: null, cause })
  await commit(db, changeStatements(db, account_id, change, Date.now()))
}
