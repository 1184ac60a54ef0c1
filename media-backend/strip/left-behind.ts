/**
 * Tags that exiftool may find in a stripped image, matched as `group:name`: structure, colors, density and
 * orientation. Stripping should have removed everything else, so any other tag was missed.
 */
const EXPECTED = [
  /^(ExifTool|System|Composite|JFIF|Adobe|APP14|PNG-(pHYs|cICP)|ICC[-_].*):/,
  /^File:(?!Comment)/,
  /^IFD\d+:(SubfileType|Image(Width|Height)|BitsPerSample|Compression|PhotometricInterpretation|Thresholding)$/,
  /^IFD\d+:(FillOrder|StripOffsets|Orientation|SamplesPerPixel|RowsPerStrip|StripByteCounts|M(in|ax)SampleValue)$/,
  /^IFD\d+:([XY](Resolution|Position)|PlanarConfiguration|GrayResponse(Unit|Curve)|T[46]Options|ResolutionUnit)$/,
  /^IFD\d+:(PageNumber|TransferFunction|Predictor|WhitePoint|PrimaryChromaticities|ColorMap|HalftoneHints)$/,
  /^IFD\d+:(Tile(Width|Length|Offsets|ByteCounts)|InkSet|NumberofInks|DotRange|ExtraSamples|SampleFormat)$/,
  /^IFD\d+:(SM(in|ax)SampleValue|TransferRange|JPEGTables|YCbCr.*|ReferenceBlackWhite|Cell(Width|Length))$/,
  // exiftool's names for the strips of a JPEG-compressed TIFF.
  /^IFD\d+:(PreviewImage|JpgFromRaw|OtherImage)(Start|Length)?$/,
  /^(ExifIFD:ColorSpace|InteropIFD:InteropIndex)$/,
  /^PNG:(Image(Width|Height)|BitDepth|ColorType|Compression|Filter|Interlace|Palette|Transparency|Gamma)$/,
  /^PNG:(SRGBRendering|WhitePoint[XY]|(Red|Green|Blue)[XY]|SignificantBits|BackgroundColor|ProfileName)$/,
  /^PNG:(Animation(Frames|Plays)|.*(Primaries|Transfer|Matrix|VideoFullRange|Luminance|MaxContent).*)$/,
  /^RIFF:(VP8Version|Image(Width|Height)|(Horizontal|Vertical)Scale|WebP_Flags|Alpha\w+|Animation\w+)$/,
  /^RIFF:(BackgroundColor|Duration|FrameCount)$/,
  /^GIF:(GIFVersion|Image(Width|Height)|HasColorMap|ColorResolutionDepth|BitsPerPixel|BackgroundColor)$/,
  /^GIF:(AnimationIterations|FrameCount|Duration|TransparentColor|PixelAspectRatio)$/,
  /^(Track\d+|QuickTime|Meta|Item\w*|Container\w*):(?!.*(Date|GPS|Location|Make|Model|Title|Description))/,
]

/** Returns the tags that exiftool found but that do not belong in a stripped image. */
export function leftBehind(names: readonly string[]): string[] {
  return names.filter((name) => name !== 'SourceFile' && !EXPECTED.some((pattern) => pattern.test(name)))
}
