/**
 * Refuses a release that lacks something, or whose parts disagree.
 *
 * `node scripts/check-release.js <tag> [owner/repository]`
 */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {manifest, root} from './project.js';

/** Addresses that only the publisher knows; README, npm and its provenance need them. */
const addressFields = ['repository', 'homepage', 'bugs'];

/**
 * @param {{manifest: Record<string, unknown>, changelog: string, tag: string, repository?: string}} release
 * @returns {string[]} a sentence for each problem
 */
export function findProblems({manifest, changelog, tag, repository}) {
	const {version} = manifest;
	const missing = addressFields.filter((field) => !manifest[field]);
	const address = manifest.repository?.url ?? manifest.repository ?? '';
	const isElsewhere =
		repository !== undefined && !missing.includes('repository') && !isAt(address, repository);
	const heading = `## [${version}] - `;
	return [
		...missing.map((field) => `package.json has no "${field}"`),
		...(isElsewhere ? [`package.json names the repository ${address}, not ${repository}`] : []),
		...(tag === `v${version}` ? [] : [`the tag is ${tag}, the version ${version}`]),
		...(hasDate(changelog, heading) ? [] : [`CHANGELOG.md has no "${heading}" with a date`]),
	];
}

function isAt(address, repository) {
	return address.replace(/\.git$/, '').endsWith(`/${repository}`);
}

function hasDate(changelog, heading) {
	const line = changelog.split('\n').find((found) => found.startsWith(heading)) ?? '';
	return /^\d{4}-\d\d-\d\d$/.test(line.slice(heading.length));
}

async function main([tag, repository]) {
	if (tag === undefined) throw new Error('usage: node scripts/check-release.js <tag> [repository]');
	const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
	const problems = findProblems({manifest, changelog, tag, repository});
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
