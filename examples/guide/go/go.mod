module example.com/guide

go 1.22
