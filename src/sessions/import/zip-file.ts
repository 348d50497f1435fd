/** Reads files from a ZIP archive into memory, unpacking nothing to the disk. */
import {closeSync, openSync, readSync} from 'node:fs';
import {inflateRawSync} from 'node:zlib';
import type {Entry} from 'yauzl';

/** Each method throws if the file is damaged, encrypted, or larger than the limit or than the archive says. */
export interface ZipFile {
	/** File paths, at most 100,000. */
	readonly names: readonly string[];
	readChunks(name: string, maxBytes: number): Promise<readonly Uint8Array[]>;
	/** Reads a small file at once. */
	readNow(name: string, maxBytes: number): Uint8Array;
	close(): void;
}

/** Threat: a small archive with millions of names. */
const maxEntries = 100_000;

/** @throws {Error} if the archive is damaged, or one of its names leads out of a folder */
export async function openZip(path: string): Promise<ZipFile> {
	const {default: yauzl} = await import('yauzl');
	const fd = openSync(path, 'r');
	try {
		const zip = await yauzl.fromFdPromise(fd, {autoClose: false});
		const entries = new Map<string, Entry>();
		for await (const entry of zip.eachEntry()) {
			if (entries.size === maxEntries) throw new Error(`more than ${maxEntries} files`);
			if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
		}
		return {
			names: [...entries.keys()],
			async readChunks(name, maxBytes) {
				const entry = findReadable(entries, name, maxBytes);
				const chunks: Uint8Array[] = [];
				for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
				return chunks;
			},
			readNow: (name, maxBytes) => readEntry(fd, findReadable(entries, name, maxBytes)),
			close: () => closeSync(fd),
		};
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

const stored = 0;
const deflated = 8;

function findReadable(entries: ReadonlyMap<string, Entry>, name: string, maxBytes: number): Entry {
	const entry = entries.get(name);
	if (entry === undefined) throw new Error('no such file');
	const {compressedSize, uncompressedSize, compressionMethod} = entry;
	if (entry.isEncrypted()) throw new Error('it is encrypted');
	if (compressionMethod !== stored && compressionMethod !== deflated) {
		throw new Error(`its compression method ${compressionMethod} is not supported`);
	}
	if (Math.max(compressedSize, uncompressedSize) > maxBytes) throw new Error('it is too large');
	return entry;
}

const headerBytes = 30;

function readEntry(fd: number, entry: Entry): Uint8Array {
	const {compressedSize, uncompressedSize: size, relativeOffsetOfLocalHeader: offset} = entry;
	const header = readAt(fd, offset, headerBytes);
	const start = offset + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
	const data = readAt(fd, start, compressedSize);
	if (entry.compressionMethod === stored) return data;
	// Threat: a bomb, larger than its header says.
	return inflateRawSync(data, {maxOutputLength: Math.max(1, size)});
}

function readAt(fd: number, offset: number, length: number): Buffer {
	const bytes = Buffer.allocUnsafe(length);
	let done = 0;
	while (done < length) {
		const count = readSync(fd, bytes, done, length - done, offset + done);
		if (count === 0) throw new Error('it is damaged');
		done += count;
	}
	return bytes;
}
