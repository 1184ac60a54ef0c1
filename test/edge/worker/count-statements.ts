import type { Client, InStatement } from '@libsql/client/web'
import type { TestContext } from './context.ts'

/** What a part of the Worker asked of its database. */
export interface StatementCount {
  /** All SQL statements, without those that begin and end a transaction. */
  statements: string[]
  /** Requests with a statement that can write; each is one transaction. */
  write_transactions: string[][]
}

const WRITES = /^\s*(?:WITH\b[\s\S]*?\b)?(?:INSERT|UPDATE|DELETE|REPLACE)\b/i

/** Counts what a test context sends to its database from now on. The result grows with each request. */
export function countStatements({ deps }: TestContext): StatementCount {
  const count: StatementCount = { statements: [], write_transactions: [] }
  const note = (request: InStatement[]) => {
    const texts = request.map((statement) => (typeof statement === 'string' ? statement : statement.sql))
    count.statements.push(...texts)
    if (texts.some((text) => WRITES.test(text))) count.write_transactions.push(texts)
  }
  const client: Client = deps.db.$client
  const { execute, batch } = client
  Object.assign(client, {
    execute: (statement: InStatement) => {
      note([statement])
      return execute(statement)
    },
    batch: (statements: InStatement[], mode?: Parameters<Client['batch']>[1]) => {
      note(statements)
      return batch(statements, mode)
    },
  })
  return count
}
