/** Files to be read as another one: compressed with zstd, or YAML, as the JSON it means. */
import {promisify} from 'node:util';
import zlib from 'node:zlib';
import {isJsonObject, type JsonValue} from '../../json.ts';
import {mebibyte} from '../../wording.ts';
import {yamlMark} from './aichat.ts';

/** Threat: a small file that fills the memory. */
const maxBytes = 512 * mebibyte;
/** Reading YAML takes long. */
const maxYamlBytes = 64 * mebibyte;

type Unpack = (chunks: Iterable<Uint8Array>) => Promise<readonly Uint8Array[]>;

/** Returns how to read a file with this beginning; undefined for JSON and all others. */
export function findUnpacker(head: Uint8Array): Unpack | undefined {
	const start = Buffer.from(head.subarray(0, 64)).toString('latin1');
	if (start.startsWith('\x28\xb5\x2f\xfd')) return unpackZstd;
	// aichat writes its keys in this order.
	return /^(?:\xef\xbb\xbf)?model: \S/.test(start) ? readYaml : undefined;
}

type Decompress = (bytes: Uint8Array, options: object) => Promise<Uint8Array>;

/** @throws {Error} if it is damaged or too large */
async function unpackZstd(chunks: Iterable<Uint8Array>): Promise<readonly Uint8Array[]> {
	const found: unknown = Reflect.get(zlib, 'zstdDecompress');
	if (typeof found === 'function') {
		// Node has it since 22.15.
		const decompress = promisify(found as never) as Decompress;
		return [await decompress(Buffer.concat([...chunks]), {maxOutputLength: maxBytes})];
	}
	const {Decompress: Decompressor} = await import('fzstd');
	const pieces: Uint8Array[] = [];
	let size = 0;
	const stream = new Decompressor((piece) => {
		size += piece.length;
		if (size > maxBytes) throw new Error('it is too large');
		pieces.push(piece);
	});
	for (const chunk of chunks) stream.push(chunk);
	stream.push(new Uint8Array(), true);
	return pieces;
}

/** @throws {Error} if it is not valid or too large */
async function readYaml(chunks: Iterable<Uint8Array>): Promise<readonly Uint8Array[]> {
	const bytes = Buffer.concat([...chunks]);
	if (bytes.length > maxYamlBytes) throw new Error('it is too large');
	const {default: library} = await import('yaml');
	// Threat: aliases of aliases, which grow without limit.
	const options = {logLevel: 'error', prettyErrors: false, maxAliasCount: 0} as const;
	const value = library.parse(bytes.toString('utf8'), options) as JsonValue;
	const marked = isJsonObject(value) ? {...value, [yamlMark]: true} : {};
	return [Buffer.from(JSON.stringify(marked))];
}
