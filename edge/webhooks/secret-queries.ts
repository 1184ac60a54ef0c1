import { eq } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { webhookSecrets } from '../tables.ts'

export type WebhookSecret = typeof webhookSecrets.$inferSelect
type WebhookSecretRow = Pick<WebhookSecret, 'accountId' | 'secret' | 'createdAt'>

/** Stores the account's secret unless the account already has one. */
export function ensureSecretStatement(db: Database, secret: WebhookSecretRow): Statement {
  return db.insert(webhookSecrets).values(secret).onConflictDoNothing()
}

/** Replaces the secret and keeps the previous one. */
export function replaceSecretStatement(db: Database, row: WebhookSecretRow): Statement {
  const { secret, createdAt } = row
  return db
    .insert(webhookSecrets)
    .values(row)
    .onConflictDoUpdate({
      target: webhookSecrets.accountId,
      set: { secret, previousSecret: webhookSecrets.secret, createdAt },
    })
}

export async function findSecret(db: Database, accountId: number): Promise<WebhookSecret> {
  const [stored] = await db.select().from(webhookSecrets).where(eq(webhookSecrets.accountId, accountId))
  if (stored === undefined) throw new Error('the webhook secret was not written')
  return stored
}
