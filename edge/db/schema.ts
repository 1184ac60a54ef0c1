/** All tables, by what they are about. drizzle-kit writes the migrations from here. */
export * from './schema/accounts.ts'
export * from './schema/catalogue.ts'
export * from './schema/delivery.ts'
export * from './schema/jobs.ts'
export * from './schema/money.ts'
