import { describeRules } from '../../../../support/describe-rules.ts'

describeRules({
  'device-write': {
    denied: `
      dd if=image.iso of=/dev/sdb bs=4M
      dd of=/dev/nvme0n1p2 if=/dev/zero
      cat image.iso > /dev/sda
      echo x | tee /dev/mmcblk0
      cp image.img /dev/disk2
      echo 1 > /dev/mem
      dd if=/dev/zero of=/dev/mapper/vg-root
      : > /dev/vda`,
    allowed: `
      npm test > /dev/null 2>&1
      echo done > /dev/stderr
      echo x | tee /dev/tty
      dd if=/dev/zero of=disk.img bs=1M count=10
      dd if=/dev/sda of=backup.img count=1
      echo x > /dev/shm/x
      cat /dev/null > log.txt`,
  },
  'format-disk': {
    denied: `
      mkfs.ext4 /dev/sdb1
      mkfs -t xfs /dev/vdb
      mkswap /dev/sda2
      wipefs -a /dev/sda
      fdisk /dev/sda
      sfdisk /dev/sda < layout
      sgdisk --zap-all /dev/sda
      parted /dev/sda mklabel gpt
      hdparm --security-erase p /dev/sdb
      blkdiscard /dev/nvme0n1
      nvme format /dev/nvme0n1
      diskutil eraseDisk JHFS+ Empty disk2
      diskutil apfs deleteVolume disk1s2
      cryptsetup luksFormat /dev/sdb
      zpool destroy tank
      zfs destroy -r tank/home
      lvremove -f vg/root
      mdadm --zero-superblock /dev/sda1`,
    allowed: `
      mkfs.ext4 disk.img
      mkfs.ext4 --help
      fdisk -l
      fdisk -l /dev/sda
      parted -l
      hdparm -I /dev/sda
      diskutil list
      diskutil info disk0
      diskutil apfs list
      nvme list
      zfs list
      zpool status
      wipefs /dev/sda
      git commit -m 'mkfs.ext4 /dev/sda'`,
  },
  'boot-loader': {
    denied: `
      grub-install /dev/sda
      update-grub
      efibootmgr -b 0001 -B
      bootctl install
      nvram boot-args=-v
      csrutil disable
      kexec -e
      update-initramfs -u`,
    allowed: `
      efibootmgr -v
      bootctl status
      nvram -p
      csrutil status
      bless --info /
      mokutil --sb-state
      grub-install --help`,
  },
  mount: {
    denied: `
      umount -f /
      umount -a
      umount /home
      mount -o remount,rw /
      mount --bind / /mnt
      mount /dev/sdb1 /mnt/usb
      swapoff -a`,
    allowed: `
      mount
      mount | grep tmpfs
      umount /tmp/mnt
      mount -t tmpfs none /tmp/mnt
      swapon --show`,
  },
})
