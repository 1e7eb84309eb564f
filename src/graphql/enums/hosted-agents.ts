import { declare } from './declare.js';

// Values of the hosted service, which clients name in documents that they generate from its schema.

export const HostedAgentMacOSVersion = declare('HostedAgentMacOSVersion', 'Version of macOS on a hosted agent.', {
  golden_gate: 'macOS Golden Gate.',
  sequoia: 'macOS Sequoia.',
  sonoma: 'macOS Sonoma.',
  tahoe: 'macOS Tahoe.',
  tahoe_26_6: 'macOS Tahoe 26.6.',
  tahoe_slim: 'macOS Tahoe 26.5.',
});

export const HostedAgentMachineType = declare('HostedAgentMachineType', 'Operating system of a hosted agent.', {
  linux: 'Linux.',
  macos: 'macOS.',
});

export const HostedAgentSize = declare('HostedAgentSize', 'Size of a hosted agent.', {
  extra_extra_large: 'Extra extra large: 32 cores on Linux.',
  extra_large: 'Extra large: 16 cores on Linux, 12 on macOS.',
  large: 'Large: 8 cores on Linux, 12 on macOS.',
  medium: 'Medium: 4 cores on Linux, 6 on macOS.',
  small: 'Small: 2 cores on Linux, 4 on macOS.',
  three_xl: 'Largest: 64 cores on Linux.',
});

export const HostedAgentArchitecture = declare(
  'HostedAgentArchitecture',
  'Architecture of the processor of a hosted agent.',
  {
    amd64: 'AMD64 (x86_64).',
    arm64: 'ARM64 (AArch64).',
  },
);

export const HostedAgentInstanceShapeName = declare(
  'HostedAgentInstanceShapeName',
  'Kind of machine of a hosted agent.',
  {
    linux_amd64_16x64: 'Linux on AMD64 with 16 cores and 64 GB of memory.',
    linux_amd64_2x4: 'Linux on AMD64 with 2 cores and 4 GB of memory.',
    linux_amd64_32x128: 'Linux on AMD64 with 32 cores and 128 GB of memory.',
    linux_amd64_4x16: 'Linux on AMD64 with 4 cores and 16 GB of memory.',
    linux_amd64_64x256: 'Linux on AMD64 with 64 cores and 256 GB of memory.',
    linux_amd64_8x32: 'Linux on AMD64 with 8 cores and 32 GB of memory.',
    linux_arm64_16x64: 'Linux on ARM64 with 16 cores and 64 GB of memory.',
    linux_arm64_2x4: 'Linux on ARM64 with 2 cores and 4 GB of memory.',
    linux_arm64_32x128: 'Linux on ARM64 with 32 cores and 128 GB of memory.',
    linux_arm64_4x16: 'Linux on ARM64 with 4 cores and 16 GB of memory.',
    linux_arm64_64x256: 'Linux on ARM64 with 64 cores and 256 GB of memory.',
    linux_arm64_8x32: 'Linux on ARM64 with 8 cores and 32 GB of memory.',
    macos_arm64_m4_12x56: 'macOS on ARM64 with 12 cores and 56 GB of memory.',
    macos_arm64_m4_6x28: 'macOS on ARM64 with 6 cores and 28 GB of memory.',
  },
);
