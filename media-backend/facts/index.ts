import type { FactName, Facts } from '../../shared/operations/facts.ts'
import { SOURCE } from '../../shared/operations/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { fileIn } from '../folder.ts'
import type { Run } from '../job.ts'
import { imageFacts } from './image.ts'
import { checkLength } from './length.ts'
import { probeVideo } from './probe.ts'

/** Measures what the operation names and nothing else; an input over the length ceiling is refused. */
export async function gatherFacts(names: readonly FactName[], dispatch: Dispatch, run: Run): Promise<Facts> {
  const path = fileIn(run.folder, SOURCE)
  const facts: Partial<Facts> = {}
  for (const name of names) {
    if (name === 'image') facts.image = await imageFacts(path, run.environment)
    if (name === 'probe') {
      facts.probe = await probeVideo(path, run)
      checkLength(facts.probe.duration_seconds, dispatch)
    }
  }
  // An operation reads only the facts it named, which defineOperation checks.
  return facts as Facts
}
