/**
 * The keys of a ListObjectsV2 answer. With `encoding-type=url` a key holds no character that XML would escape. Our
 * keys hold none that URLs would escape, so the one element can be read without a parser.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
export function listedKeys(xml: string): string[] {
  return Array.from(xml.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => decodeURIComponent(key));
}
