import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'turso', schema: './edge/tables.ts', out: './migrations' })
