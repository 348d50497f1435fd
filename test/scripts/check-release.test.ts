import {expect, test} from 'vitest';

type Release = {
	readonly manifest: Readonly<Record<string, unknown>>;
	readonly changelog: string;
	readonly tag: string;
	readonly repository?: string;
};

const script = '../../scripts/check-release.js';
const {findProblems} = (await import(script)) as {
	findProblems(release: Release): readonly string[];
};

const good: Release = {
	manifest: {
		version: '1.2.0',
		repository: {type: 'git', url: 'git+https://forge.example/ada/chat.git'},
		homepage: 'https://forge.example/ada/chat#readme',
		bugs: 'https://forge.example/ada/chat/issues',
	},
	changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-22\n\n- A thing.\n',
	tag: 'v1.2.0',
	repository: 'ada/chat',
};

test('a release with its addresses, its tag and its part of the changelog may be published', () => {
	expect(findProblems(good)).toEqual([]);
});

test.each<readonly [string, Partial<Release>]>([
	['package.json has no "bugs"', {manifest: {...good.manifest, bugs: undefined}}],
	['not eve/chat', {repository: 'eve/chat'}],
	['the tag is v1.2.1, the version 1.2.0', {tag: 'v1.2.1'}],
	['CHANGELOG.md has no "## [1.2.0] - " with a date', {changelog: '## [1.2.0] - soon\n'}],
])('a release is refused: %s', (problem, change) => {
	expect(findProblems({...good, ...change})).toEqual([expect.stringContaining(problem)]);
});
