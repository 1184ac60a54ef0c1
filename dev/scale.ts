import { ASSUMED } from './scale/assumed.ts'
import { MEASURED } from './scale/measured.ts'
import { scaleTables } from './scale/tables.ts'

/** `npm run scale`: prints the tables of docs/scale.md, from dev/scale/measured.ts and dev/scale/assumed.ts. */
for (const table of scaleTables(MEASURED, ASSUMED)) console.log(`${table}\n`)
