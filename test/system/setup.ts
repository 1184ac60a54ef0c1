import type { TestProject } from 'vitest/node'
import { describeExit } from '../../dev/system/system.ts'
import { BUCKET, clientStorageUrl, storageUrl } from '../../dev/system/wrangler-config.ts'
import { startTestSystem } from './start-test-system.ts'

/** What end-to-end tests need to know about the system they share. */
export interface SharedSystem {
  api_url: string
  mail_url: string
  payments_url: string
  fleet_url: string
  database_url: string
  redis_url: string
  fleet_keys: string
  session_keys: string
  /** Clients send signed requests to `client_url`, which has the CORS rule of the bucket. */
  storage: { url: string; client_url: string; access_key_id: string; secret_access_key: string }
  work_directory: string
  admin: { email: string; password: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    system: SharedSystem
  }
}

/** Starts one system before the first end-to-end test and stops it after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const system = await startTestSystem({
    onExit: (part, reason) => console.error(describeExit(part, reason)),
  })
  project.provide('system', {
    api_url: system.api_url,
    mail_url: system.mail_url,
    payments_url: system.payments_url,
    fleet_url: `http://127.0.0.1:${system.ports.fleet}`,
    database_url: `http://127.0.0.1:${system.ports.database}`,
    redis_url: `redis://127.0.0.1:${system.ports.redis}`,
    fleet_keys: system.secrets.fleet_keys,
    session_keys: system.secrets.session_keys,
    storage: {
      url: `${storageUrl(system.ports)}/${BUCKET}`,
      client_url: `${clientStorageUrl(system.ports)}/${BUCKET}`,
      access_key_id: system.secrets.s3_access_key_id,
      secret_access_key: system.secrets.s3_secret_access_key,
    },
    work_directory: system.work_directory,
    admin: system.admin,
  })
  return system.stop
}
