import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'turso', schema: './edge/db/schema.ts', out: './migrations' })
