import { expect, test } from 'vitest'
import { isFrame, splitDump } from './split-dump.ts'

async function split(text: string): Promise<string[]> {
  const statements: string[] = []
  for await (const statement of splitDump(text.split('\n'))) statements.push(statement)
  return statements
}

test('splits tables, rows and triggers that span lines', async () => {
  const table = 'CREATE TABLE t (\n  id INTEGER,\n  x TEXT\n);'
  const row = "INSERT INTO t VALUES(1,replace('a;\\nb','\\n',char(10)));"
  const trigger =
    "CREATE TRIGGER no BEFORE UPDATE ON t\nBEGIN\n  SELECT 1;\n  SELECT RAISE(ABORT, 'no');\nEND;"
  const dump = `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n${table}\n${row}\n${trigger}\nCOMMIT;\n`
  const statements = await split(dump)
  expect(statements.filter((statement) => !isFrame(statement))).toEqual([table, row, trigger])
})

test('refuses a truncated dump', async () => {
  await expect(split('CREATE TABLE t (\n  id INTEGER')).rejects.toThrow('ends within a statement')
})
