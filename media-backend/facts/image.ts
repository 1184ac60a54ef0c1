import type { ImageFacts } from '../../shared/operations/facts.ts'
import type { Environment } from '../environment.ts'
import { imageFailure, openImage } from '../steps/sharp.ts'

/**
 * Reads a picture's header. Width and height are those that a person sees, of one frame.
 * @throws JobFailure when it is no picture that we take.
 */
export async function imageFacts(path: string, environment: Environment): Promise<ImageFacts> {
  try {
    const { format, width, height, pageHeight, autoOrient, pages, hasAlpha } = await openImage(
      path,
      environment,
    ).metadata()
    const turned = autoOrient.width !== width
    return {
      format,
      width: autoOrient.width,
      height: turned ? autoOrient.height : (pageHeight ?? height),
      pages: pages ?? 1,
      has_alpha: hasAlpha,
    }
  } catch (error) {
    throw imageFailure(error, environment)
  }
}
